/** New rulings of a fight that goes on while its page is open: their number, and a link to them. */

import { Part } from './reader.js';
import { link } from './share.js';
import { countWords } from './text.js';

export class MamNewRulings extends Part {
  /** The newest ruling received, and the first one that this page does not show. */
  #newest = 0;
  #first = 0;
  #count = 0;
  /** @type {EventSource | undefined} */
  #source;

  open() {
    const isServed = this.closest('[data-live]') && location.protocol.startsWith('http');
    if (!isServed) return;
    this.#newest = this.reader.version;
    this.addEventListener('click', (event) => {
      if (/** @type {HTMLElement} */ (event.target).closest('button')) this.#reload();
    });
    document.addEventListener('visibilitychange', () => this.#listen());
    this.#listen();
  }

  /** Browsers limit the connections to one host, so a page that nobody looks at keeps none. */
  #listen() {
    this.#source?.close();
    if (document.hidden) return;
    const view = new URLSearchParams(location.search).get('as');
    const parameters = new URLSearchParams({ after: String(this.#newest), ...(view ? { as: view } : {}) });
    this.#source = new EventSource(`events/stream?${parameters}`);
    this.#source.addEventListener('ruling', (event) => this.#receive(JSON.parse(event.data)));
    this.#source.addEventListener('reset', () => {
      this.#newest = this.#first = this.#count = 0;
    });
  }

  /** @param {{number: number, hidden?: boolean}} ruling */
  #receive({ number, hidden }) {
    if (number <= this.#newest) return;
    this.#newest = number;
    // Don't count rulings that are hidden from this view.
    if (hidden) return;
    this.#first ||= number;
    this.#count += 1;
    this.innerHTML = `<button>${countWords(this.#count, 'new ruling')}: show</button>`;
  }

  /** Load the page again, at the first new ruling. */
  #reload() {
    const parameters = new URLSearchParams(link(this.reader).slice(1));
    parameters.delete('v');
    parameters.set('at', String(this.#first));
    history.replaceState(null, '', `#${parameters}`);
    location.reload();
  }
}
