/** The state of the reader: the current moment, and how corrections are read. Parts of the page listen to its events. */

import { isGhosted } from './marks.js';

/** @typedef {import('./types.js').Book} Book */
/** @typedef {import('./types.js').Leaf} Leaf */
/** @typedef {'stands' | 'played' | 'both'} Reading */

/** The ways of reading corrections, each with its name. @type {Record<Reading, string>} */
export const READINGS = { stands: 'As it stands', played: 'As played', both: 'Both' };

/** A book open at a place. It sends `reading` when its leaves change, and `moment` when the place changes. */
export class Reader extends EventTarget {
  /** @param {Book} book */
  constructor(book) {
    super();
    if (!book.leaves.length) throw new RangeError('a book without leaves');
    this.book = book;
    /** @type {Map<number, Leaf>} */
    this.newest = new Map(book.leaves.map((leaf) => [leaf.frame.number, leaf]));
    /** @type {Map<number, Leaf>} */
    this.given = new Map(book.played.map((leaf) => [leaf.frame.number, leaf]));
    const numbers = [...this.newest.keys()].sort((a, b) => a - b);
    /** @type {Record<Reading, Leaf[]>} */
    this.sequences = {
      stands: book.leaves.filter(({ frame }) => frame.hidden || (!isGhosted(frame) && frame.kind !== 'correction')),
      played: numbers.map((number) => /** @type {Leaf} */ (this.given.get(number) ?? this.newest.get(number))),
      both: book.leaves,
    };
    /** @type {Reading} */
    this.reading = 'stands';
    this.at = this.sequences.stands.length - 1;
    /** True after the last leaf, at the result; a book with a result opens there. */
    this.ended = Boolean(book.result);
    /** The filter of the lines that are searched for; null for all lines. @type {((leaf: Leaf) => boolean) | null} */
    this.wanted = null;
    /** The combatant whose lines are highlighted in the log; "" for none. */
    this.chosen = '';
    this.playing = false;
    /** The version of the link to a ruling, for rulings that may have changed since. @type {Map<number, number>} */
    this.sent = new Map();
  }

  get leaves() {
    return this.sequences[this.reading];
  }

  get leaf() {
    return /** @type {Leaf} */ (this.leaves[this.at]);
  }

  get frame() {
    return this.leaf.frame;
  }

  /** The result after the last leaf; "As played" has none, because the result includes later corrections. */
  get result() {
    return this.reading === 'played' ? null : this.book.result;
  }

  /** The number of the newest ruling. */
  get version() {
    return Math.max(...this.newest.keys());
  }

  /**
   * The reading in which a ruling is as it was when the link to it was made, at that version of the log.
   *
   * @param {number} number @param {number} version @param {Reading} reading the one of the link
   * @returns {Reading}
   */
  asSent(number, version, reading) {
    const written = this.book.leaves
      .map((leaf) => leaf.frame)
      .filter((frame) => frame.kind === 'correction' || frame.after_ruling);
    const later = written.some((frame) => frame.number > version);
    if (!later || number > version || reading === 'played') return reading;
    // At the time of the link it may have been different both from its first outcome and from its present one.
    if (written.some((frame) => frame.number > number && frame.number <= version)) this.sent.set(number, version);
    else if (this.given.has(number)) return 'played';
    return reading;
  }

  /** Go to that place, to the result after the last leaf, or else to the nearest place. @param {number} at */
  go(at) {
    this.ended = at >= this.leaves.length && Boolean(this.result);
    this.at = Math.max(0, Math.min(this.leaves.length - 1, at));
    this.dispatchEvent(new Event('moment'));
  }

  /** Go forward by that many rulings, or back. @param {number} count */
  step(count) {
    this.go(this.at + count + (this.ended ? 1 : 0));
  }

  /** Go to the ruling with that number, in a reading that has it. @param {number} number */
  to(number) {
    this.ended = false;
    const at = this.leaves.findIndex((leaf) => leaf.frame.number === number);
    if (at < 0 && this.newest.has(number)) return this.read('both', number);
    return this.go(at < 0 ? this.#near(number) : at);
  }

  /** Switch the reading of corrections; stay at the same ruling, or go to the one with that number. @param {Reading} reading @param {number} [number] */
  read(reading, number = this.frame.number) {
    this.reading = reading;
    this.ended &&= Boolean(this.result);
    const at = this.leaves.findIndex((leaf) => leaf.frame.number === number);
    this.at = at < 0 ? this.#near(number) : at;
    this.dispatchEvent(new Event('reading'));
    this.dispatchEvent(new Event('moment'));
  }

  /** Highlight a combatant's lines, or stop it. @param {string} combatant */
  choose(combatant) {
    this.chosen = this.chosen === combatant ? '' : combatant;
    this.dispatchEvent(new Event('reading'));
    this.dispatchEvent(new Event('moment'));
  }

  /**
   * Go to the next leaf that passes the test, or back to the previous one; stay if there is none.
   *
   * @param {(leaf: Leaf) => boolean} wanted
   * @param {number} [step]
   */
  seek(wanted, step = 1) {
    for (let at = this.at + step; at >= 0 && at < this.leaves.length; at += step) {
      if (wanted(/** @type {Leaf} */ (this.leaves[at]))) return this.go(at);
    }
    return undefined;
  }

  /** Go to the next turn, or back to the previous one. @param {number} step */
  turn(step) {
    const from = this.at;
    this.seek((leaf) => leaf.frame.do === 'begin-turn', step);
    if (this.at === from) this.go(step > 0 ? this.leaves.length - 1 : 0);
  }

  /** Go to the next round, or back to the previous one. @param {number} step */
  round(step) {
    const from = this.at;
    this.seek((leaf) => Boolean(leaf.frame.ticks?.includes('round')), step);
    if (this.at === from) this.go(step > 0 ? this.leaves.length - 1 : 0);
  }

  /** The place of the last leaf with at most that number. @param {number} number */
  #near(number) {
    const behind = this.leaves.findLastIndex((leaf) => leaf.frame.number <= number);
    return Math.max(0, behind);
  }
}

/** A part of the page that shows something of a book, and updates at each moment. */
export class Part extends HTMLElement {
  /** @type {Reader} */
  // @ts-expect-error: set in connectedCallback; without a reader nothing else is called
  reader;

  connectedCallback() {
    const reader = /** @type {(HTMLElement & { reader?: Reader }) | null} */ (this.closest('mam-book'))?.reader;
    if (!reader) return;
    this.reader = reader;
    reader.addEventListener('reading', () => this.reread());
    reader.addEventListener('moment', () => this.show());
    this.open();
    this.reread();
    this.show();
  }

  /** Prepare the part, once. */
  open() {}

  /** Update the part after the leaves changed. */
  reread() {}

  /** Update the part at each moment. */
  show() {}
}
