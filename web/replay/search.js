/** The search for a word in the log, and the filter for one kind of line. */

import { Part } from './reader.js';
import { outcomeSign, statusSign } from './marks.js';

/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */

/** The filters by kind of line. @type {Record<string, (entry: ReplayEntry) => boolean>} */
export const KINDS = {
  'every line': () => true,
  'blows and rolls': (entry) => Boolean(entry.rolls?.length),
  'hits and falls': (entry) => ['hit', 'fall'].includes(outcomeSign(entry.frame)),
  corrections: (entry) => ['correction', 'struck', 'void', 'changed'].includes(statusSign(entry.frame)),
  'notes and disputes': (entry) => entry.frame.kind === 'note' || statusSign(entry.frame) === 'ruling',
};

/** True if an entry contains those words, ignoring case. @param {ReplayEntry} entry @param {string} words */
export const hasWords = ({ line, frame, reason, summary }, words) =>
  [line, frame.sentence, reason, ...(frame.marks ?? []), ...(frame.bookkeeping ?? []), ...(summary ?? [])].some(
    (text) => text?.toLowerCase().includes(words),
  );

export class MamSearch extends Part {
  open() {
    const kinds = Object.keys(KINDS).map((kind) => `<option>${kind}</option>`);
    this.innerHTML = `<label><span class="visually-hidden">Search the log</span><input type="search" dir="auto" placeholder="Search" autocomplete="off"></label><label><span class="visually-hidden">Lines to show</span><select>${kinds.join('')}</select></label><span class="label" role="status"></span>`;
    this.addEventListener('input', () => this.#apply());
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#next(event.shiftKey ? -1 : 1);
      if (event.key === 'Escape') /** @type {HTMLElement} */ (event.target).blur();
    });
  }

  #apply() {
    const { reader } = this;
    const words = /** @type {HTMLInputElement} */ (this.querySelector('input')).value.trim().toLowerCase();
    const kind = KINDS[/** @type {HTMLSelectElement} */ (this.querySelector('select')).value];
    reader.filter =
      words || kind !== KINDS['every line'] ? (entry) => Boolean(kind?.(entry)) && hasWords(entry, words) : null;
    const matchCount = reader.filter ? reader.entries.filter(reader.filter).length : 0;
    const status = reader.filter ? `${matchCount} of ${reader.entries.length}` : '';
    /** @type {HTMLElement} */ (this.querySelector('[role=status]')).textContent = status;
    reader.dispatchEvent(new Event('reading'));
    reader.dispatchEvent(new Event('moment'));
  }

  /** @param {number} step */
  #next(step) {
    const { reader } = this;
    const filter = reader.filter ?? (() => true);
    const start = reader.at;
    reader.seek(filter, step);
    if (reader.at !== start) return;
    // Continue from the other end.
    const places = reader.entries.map((entry, at) => (filter(entry) ? at : -1)).filter((at) => at >= 0);
    const at = step > 0 ? places[0] : places.at(-1);
    if (at !== undefined) reader.go(at);
  }
}
