/** The state of the reader: the current moment, and how corrections are read. Parts of the page listen to its events. */

import { isGhosted } from './marks.js';

/** @typedef {import('./types.js').ReplayPage} ReplayPage */
/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {'stands' | 'played' | 'both'} Reading */

/** The ways of reading corrections, each with its name. @type {Record<Reading, string>} */
export const READINGS = { stands: 'As it stands', played: 'As played', both: 'Both' };

/** A page open at a place. It sends `reading` when its entries change, and `moment` when the place changes. */
export class Reader extends EventTarget {
  /** @param {ReplayPage} page */
  constructor(page) {
    super();
    if (!page.entries.length) throw new RangeError('a page without entries');
    this.page = page;
    /** @type {Map<number, ReplayEntry>} */
    this.newest = new Map(page.entries.map((entry) => [entry.frame.number, entry]));
    /** @type {Map<number, ReplayEntry>} */
    this.firstEntries = new Map(page.played.map((entry) => [entry.frame.number, entry]));
    const numbers = [...this.newest.keys()].sort((a, b) => a - b);
    /** @type {Record<Reading, ReplayEntry[]>} */
    this.sequences = {
      stands: page.entries.filter(({ frame }) => frame.hidden || (!isGhosted(frame) && frame.kind !== 'correction')),
      played: numbers.map(
        (number) => /** @type {ReplayEntry} */ (this.firstEntries.get(number) ?? this.newest.get(number)),
      ),
      both: page.entries,
    };
    /** @type {Reading} */
    this.reading = 'stands';
    this.at = this.sequences.stands.length - 1;
    /** True after the last entry, at the result; a page with a result opens there. */
    this.atResult = Boolean(page.result);
    /** The filter of the lines that are searched for; null for all lines. @type {((entry: ReplayEntry) => boolean) | null} */
    this.filter = null;
    /** The combatant whose lines are highlighted in the log; "" for none. */
    this.chosenId = '';
    this.playing = false;
    /** The version of the link to a ruling, for rulings that may have changed since. @type {Map<number, number>} */
    this.linkVersions = new Map();
  }

  get entries() {
    return this.sequences[this.reading];
  }

  get entry() {
    return /** @type {ReplayEntry} */ (this.entries[this.at]);
  }

  get frame() {
    return this.entry.frame;
  }

  /** The result after the last entry; "As played" has none, because the result includes later corrections. */
  get result() {
    return this.reading === 'played' ? null : this.page.result;
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
  readingAtLink(number, version, reading) {
    const corrections = this.page.entries
      .map((entry) => entry.frame)
      .filter((frame) => frame.kind === 'correction' || frame.after_ruling);
    const isCorrectedLater = corrections.some((frame) => frame.number > version);
    if (!isCorrectedLater || number > version || reading === 'played') return reading;
    // At the time of the link it may have been different both from its first outcome and from its present one.
    if (corrections.some((frame) => frame.number > number && frame.number <= version))
      this.linkVersions.set(number, version);
    else if (this.firstEntries.has(number)) return 'played';
    return reading;
  }

  /** Go to that place, to the result after the last entry, or else to the nearest place. @param {number} at */
  go(at) {
    this.atResult = at >= this.entries.length && Boolean(this.result);
    this.at = Math.max(0, Math.min(this.entries.length - 1, at));
    this.dispatchEvent(new Event('moment'));
  }

  /** Go forward by that many rulings, or back. @param {number} count */
  step(count) {
    this.go(this.at + count + (this.atResult ? 1 : 0));
  }

  /** Go to the ruling with that number, in a reading that has it. @param {number} number */
  goToRuling(number) {
    this.atResult = false;
    const at = this.entries.findIndex((entry) => entry.frame.number === number);
    if (at < 0 && this.newest.has(number)) return this.read('both', number);
    return this.go(at < 0 ? this.#nearestPlace(number) : at);
  }

  /** Switch the reading of corrections; stay at the same ruling, or go to the one with that number. @param {Reading} reading @param {number} [number] */
  read(reading, number = this.frame.number) {
    this.reading = reading;
    this.atResult &&= Boolean(this.result);
    const at = this.entries.findIndex((entry) => entry.frame.number === number);
    this.at = at < 0 ? this.#nearestPlace(number) : at;
    this.dispatchEvent(new Event('reading'));
    this.dispatchEvent(new Event('moment'));
  }

  /** Highlight a combatant's lines, or stop it. @param {string} combatant */
  choose(combatant) {
    this.chosenId = this.chosenId === combatant ? '' : combatant;
    this.dispatchEvent(new Event('reading'));
    this.dispatchEvent(new Event('moment'));
  }

  /**
   * Go to the next entry that passes the test, or back to the previous one; stay if there is none.
   *
   * @param {(entry: ReplayEntry) => boolean} test
   * @param {number} [step]
   */
  seek(test, step = 1) {
    for (let at = this.at + step; at >= 0 && at < this.entries.length; at += step) {
      if (test(/** @type {ReplayEntry} */ (this.entries[at]))) return this.go(at);
    }
    return undefined;
  }

  /** Go to the next turn, or back to the previous one. @param {number} step */
  turn(step) {
    const from = this.at;
    this.seek((entry) => entry.frame.do === 'begin-turn', step);
    if (this.at === from) this.go(step > 0 ? this.entries.length - 1 : 0);
  }

  /** Go to the next round, or back to the previous one. @param {number} step */
  round(step) {
    const from = this.at;
    this.seek((entry) => Boolean(entry.frame.ticks?.includes('round')), step);
    if (this.at === from) this.go(step > 0 ? this.entries.length - 1 : 0);
  }

  /** The place of the last entry with at most that number. @param {number} number */
  #nearestPlace(number) {
    const place = this.entries.findLastIndex((entry) => entry.frame.number <= number);
    return Math.max(0, place);
  }
}

/** A part of the page that shows something of a fight, and updates at each moment. */
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

  /** Update the part after the entries changed. */
  reread() {}

  /** Update the part at each moment. */
  show() {}
}
