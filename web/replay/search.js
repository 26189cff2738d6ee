/** The search for a word in the log, and the filter for one kind of line. */

import { Part } from './reader.js';
import { outcomeSign, statusSign } from './marks.js';

/** @typedef {import('./types.js').Leaf} Leaf */

/** The filters by kind of line. @type {Record<string, (leaf: Leaf) => boolean>} */
export const KINDS = {
  'every line': () => true,
  'blows and rolls': (leaf) => Boolean(leaf.rolls?.length),
  'hits and falls': (leaf) => ['hit', 'fall'].includes(outcomeSign(leaf.frame)),
  corrections: (leaf) => ['correction', 'struck', 'void', 'changed'].includes(statusSign(leaf.frame)),
  'notes and disputes': (leaf) => leaf.frame.kind === 'note' || statusSign(leaf.frame) === 'ruling',
};

/** True if a leaf contains those words, ignoring case. @param {Leaf} leaf @param {string} words */
export const hasWords = ({ line, frame, reason, summary }, words) =>
  [line, frame.sentence, reason, ...(frame.marks ?? []), ...(frame.bookkeeping ?? []), ...(summary ?? [])].some(
    (text) => text?.toLowerCase().includes(words),
  );

export class MamSearch extends Part {
  open() {
    const kinds = Object.keys(KINDS).map((kind) => `<option>${kind}</option>`);
    this.innerHTML = `<label><span class="vh">Search the log</span><input type="search" dir="auto" placeholder="Search" autocomplete="off"></label><label><span class="vh">Lines to show</span><select>${kinds.join('')}</select></label><span class="lab" role="status"></span>`;
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
    reader.wanted =
      words || kind !== KINDS['every line'] ? (leaf) => Boolean(kind?.(leaf)) && hasWords(leaf, words) : null;
    const found = reader.wanted ? reader.leaves.filter(reader.wanted).length : 0;
    const told = reader.wanted ? `${found} of ${reader.leaves.length}` : '';
    /** @type {HTMLElement} */ (this.querySelector('[role=status]')).textContent = told;
    reader.dispatchEvent(new Event('reading'));
    reader.dispatchEvent(new Event('moment'));
  }

  /** @param {number} step */
  #next(step) {
    const { reader } = this;
    const wanted = reader.wanted ?? (() => true);
    const before = reader.at;
    reader.seek(wanted, step);
    if (reader.at !== before) return;
    // Continue from the other end.
    const all = reader.leaves.map((leaf, at) => (wanted(leaf) ? at : -1)).filter((at) => at >= 0);
    const at = step > 0 ? all[0] : all.at(-1);
    if (at !== undefined) reader.go(at);
  }
}
