/** The log as the page of text beside the plate: a line for each ruling, which leads to its moment. */

import { Part } from './book.js';
import { came, fate, ghostly, mark } from './marks.js';
import { escaped, lineWords, quiet } from './words.js';

/** @typedef {import('./types.js').Leaf} Leaf */

const ORDINALS = ['', 'First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth'];
/** The ending of a number as a place in a row: 21st, 111th. @param {number} number */
const ending = (number) =>
  (number % 100 > 10 && number % 100 < 14 ? 'th' : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th';
/** Of a longer log so many lines stand on the page, around the moment. */
const WINDOW = 160;
/** It is set anew where the moment comes nearer than that to its edge. */
const MARGIN = 20;
/** The lines follow a hand that scrubs when it rests for so many milliseconds. */
const FOLLOWS = 60;

export class MamLog extends Part {
  #first = -1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #following;

  reread() {
    this.#first = -1;
  }

  show() {
    clearTimeout(this.#following);
    if (this.#first < 0) this.#draw();
    if (this.#inside) this.#mark();
    else this.#following = setTimeout(() => [this.#draw(), this.#mark()], FOLLOWS);
  }

  /** True if the lines around the moment are those that were drawn. */
  get #inside() {
    const { at, leaves } = this.reader;
    const [low, high] = [this.#first, this.#first + WINDOW];
    return (low === 0 || at >= low + MARGIN) && (high >= leaves.length || at < high - MARGIN);
  }

  #draw() {
    const { at, leaves } = this.reader;
    this.#first = Math.max(0, Math.min(at - WINDOW / 2, leaves.length - WINDOW));
    this.innerHTML = this.#lines(leaves.slice(this.#first, this.#first + WINDOW));
  }

  #mark() {
    this.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const line = /** @type {HTMLElement | null} */ (this.querySelector(`.line[data-to="${this.reader.frame.number}"]`));
    line?.setAttribute('aria-current', 'step');
    this.#reveal(line);
  }

  /** Bring a line to where the eye rests, without moving the page that the log lies on. @param {HTMLElement | null} line */
  #reveal(line) {
    const page = /** @type {HTMLElement | null} */ (this.closest('.page'));
    if (line && page && page.scrollHeight > page.clientHeight + 4) {
      page.scrollTop = line.offsetTop - page.offsetTop - page.clientHeight * 0.42;
    }
  }

  /** @param {Leaf[]} shown */
  #lines(shown) {
    const { reader } = this;
    const numbers = new Set(shown.map((leaf) => leaf.frame.number));
    const left = this.#leftOut(shown, numbers);
    let html = '';
    let round = -1;
    for (const leaf of shown) {
      const { frame } = leaf;
      for (const gap of left.get(frame.number) ?? []) html += reader.wanted ? '' : gap;
      const now = frame.hidden ? round : (frame.round ?? 0);
      const wanted = !reader.wanted || reader.wanted(leaf);
      // It comes before the ruling, and so before the round that the ruling begins.
      if (wanted) html += quiet(frame);
      if (now !== round) {
        html += `<h3>${now ? `${ORDINALS[now] ?? `${now}${ending(now)}`} round` : 'Before the fight'}</h3>`;
        round = now;
      }
      if (wanted) html += lineOf(leaf, this.#apart(leaf));
    }
    for (const gap of left.get(0) ?? []) html += gap;
    return html + (reader.leaves.at(-1) === shown.at(-1) ? '' : '<p class="more lab">…</p>');
  }

  /** True if a line is not about the one who was chosen. @param {Leaf} leaf */
  #apart({ frame, line }) {
    const { chosen, book } = this.reader;
    return Boolean(chosen) && frame.acting !== chosen && !line?.includes(book.people[chosen]?.name ?? '');
  }

  /**
   * The carets of what this reading leaves out, by the number of the line that they stand before (0: behind all).
   *
   * @param {Leaf[]} shown @param {Set<number>} numbers
   */
  #leftOut(shown, numbers) {
    const { reader } = this;
    /** @type {Map<number, string[]>} */
    const found = new Map();
    if (reader.reading !== 'stands') return found;
    const [low, high] = [shown[0]?.frame.number ?? 0, shown.at(-1)?.frame.number ?? 0];
    const whole = reader.leaves.length === shown.length;
    /** @type {Leaf[]} */
    let run = [];
    const close = (/** @type {number} */ before) => {
      if (run.length) found.set(before, [...(found.get(before) ?? []), caret(run)]);
      run = [];
    };
    for (const leaf of reader.book.leaves) {
      const { number } = leaf.frame;
      if (numbers.has(number)) {
        close(number);
      } else if (whole || (number > low && number < high)) {
        if (run[0] && fate(run[0].frame) !== fate(leaf.frame)) {
          const held = run;
          run = [leaf];
          const next = followed(reader.book.leaves, leaf, numbers);
          found.set(next, [...(found.get(next) ?? []), caret(held)]);
        } else {
          run.push(leaf);
        }
      }
    }
    close(0);
    return found;
  }
}

/** The number of the first line that is shown behind a leaf; 0 for none. @param {Leaf[]} leaves @param {Leaf} leaf @param {Set<number>} numbers */
function followed(leaves, leaf, numbers) {
  const at = leaves.indexOf(leaf);
  return leaves.slice(at).find((one) => numbers.has(one.frame.number))?.frame.number ?? 0;
}

/** A line for leaves that this reading leaves out. @param {Leaf[]} run */
function caret(run) {
  const [first, last] = [run[0]?.frame, run.at(-1)?.frame];
  if (!first || !last) return '';
  const which = run.length === 1 ? `№ ${first.number}` : `№ ${first.number} to ${last.number}`;
  const by = first.struck?.by || first.restored_by || first.rejudged_by || 0;
  const what =
    first.kind === 'correction' ? escaped(first.sentence?.split('. ')[0] ?? '') : `${words(first)} by № ${by}`;
  return `<button class="gap" data-to="${first.number}">${which} ${what}</button>`;
}

/** @param {import('./types.js').Frame} frame */
const words = (frame) => (frame.void ? 'void' : 'taken back');

/** @param {Leaf} leaf @param {boolean} apart */
function lineOf(leaf, apart) {
  const { frame } = leaf;
  const ghost = ghostly(frame);
  const sign = ghost ? fate(frame) : came(frame) || fate(frame);
  const marks = (frame.marks ?? []).map(
    (told) => `<span class="m ${told.startsWith('~') ? 'chg' : ''}">${escaped(markWords(told))}</span>`,
  );
  const name = `line${ghost ? ' ghost' : ''}${apart ? ' dim' : ''}`;
  const said = frame.hidden ? '' : `<span class="t">${lineWords(leaf)}</span>`;
  return `<button class="${name}" data-to="${frame.number}"><span class="no">${frame.number}</span>${mark(sign, 'mk')}<span>${said}${marks.join('')}</span></button>`;
}

/** A mark of the log in words alone: its sign stands before the line. @param {string} told */
export const markWords = (told) => told.replace(/^[↶✗~?§↳↷◑▒] /u, '').replace(/^by (.+?)(: |$)/, 'taken back by $1$2');
