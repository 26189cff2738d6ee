/** The state of the reader: the current moment, and how corrections are read. Parts of the page listen to its events. */

import { isGhosted } from './marks.js';

/** @typedef {import('./types.js').Book} Book */
/** @typedef {import('./types.js').Leaf} Leaf */
/** @typedef {'stands' | 'played' | 'both'} Reading */

/** The ways of reading corrections, each with its name. @type {Record<Reading, string>} */
export const READINGS = { stands: 'As it stands', played: 'As played', both: 'Both' };

/** A book that is open at a place. It sends `reading` when its leaves are others now, and `moment` when it is turned. */
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
    /** True where the reader is behind the last leaf, at the result: it opens there, where there is one. */
    this.ended = Boolean(book.result);
    /** The lines that are looked for; null for all. @type {((leaf: Leaf) => boolean) | null} */
    this.wanted = null;
    /** Whose lines are set apart in the log; "" for nobody's. */
    this.chosen = '';
    this.playing = false;
    /** The version of the link that led to a ruling, which may have read otherwise then. @type {Map<number, number>} */
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

  /** The result after the last leaf; an evening as it was played has none, as that is what came of it since. */
  get result() {
    return this.reading === 'played' ? null : this.book.result;
  }

  /** The newest number there is. */
  get version() {
    return Math.max(...this.newest.keys());
  }

  /**
   * The reading in which a ruling is what was sent with a link, made when that many rulings had been written.
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
    // Between its writing and the link it may have become what it neither was at first nor is now.
    if (written.some((frame) => frame.number > number && frame.number <= version)) this.sent.set(number, version);
    else if (this.given.has(number)) return 'played';
    return reading;
  }

  /** Turn to that place, to the result after the last, or to the nearest there is. @param {number} at */
  go(at) {
    this.ended = at >= this.leaves.length && Boolean(this.result);
    this.at = Math.max(0, Math.min(this.leaves.length - 1, at));
    this.dispatchEvent(new Event('moment'));
  }

  /** Turn so many rulings on, or back. @param {number} count */
  step(count) {
    this.go(this.at + count + (this.ended ? 1 : 0));
  }

  /** Turn to the ruling of that number, in a reading that has it. @param {number} number */
  to(number) {
    this.ended = false;
    const at = this.leaves.findIndex((leaf) => leaf.frame.number === number);
    if (at < 0 && this.newest.has(number)) return this.read('both', number);
    return this.go(at < 0 ? this.#near(number) : at);
  }

  /** Read corrections so, at the same ruling, or at that of the number. @param {Reading} reading @param {number} [number] */
  read(reading, number = this.frame.number) {
    this.reading = reading;
    this.ended &&= Boolean(this.result);
    const at = this.leaves.findIndex((leaf) => leaf.frame.number === number);
    this.at = at < 0 ? this.#near(number) : at;
    this.dispatchEvent(new Event('reading'));
    this.dispatchEvent(new Event('moment'));
  }

  /** Set somebody's lines apart, or nobody's any more. @param {string} combatant */
  choose(combatant) {
    this.chosen = this.chosen === combatant ? '' : combatant;
    this.dispatchEvent(new Event('reading'));
    this.dispatchEvent(new Event('moment'));
  }

  /**
   * Turn to the next leaf of which that is true, or back to the last before; stay where there is none.
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

  /** One turn of somebody's on, or back. @param {number} step */
  turn(step) {
    const from = this.at;
    this.seek((leaf) => leaf.frame.do === 'begin-turn', step);
    if (this.at === from) this.go(step > 0 ? this.leaves.length - 1 : 0);
  }

  /** One round on, or back. @param {number} step */
  round(step) {
    const from = this.at;
    this.seek((leaf) => Boolean(leaf.frame.ticks?.includes('round')), step);
    if (this.at === from) this.go(step > 0 ? this.leaves.length - 1 : 0);
  }

  /** The place of the last leaf up to that number. @param {number} number */
  #near(number) {
    const behind = this.leaves.findLastIndex((leaf) => leaf.frame.number <= number);
    return Math.max(0, behind);
  }
}

/** A part of the page that shows something of a book, anew at each moment. */
export class Part extends HTMLElement {
  /** @type {Reader} */
  // @ts-expect-error: whoever is on the page has one, or is not shown
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

  /** What it does once. */
  open() {}

  /** What it does when the leaves are others. */
  reread() {}

  /** What it does at each moment. */
  show() {}
}
