/** Two fights as one page; each place is a row with the ruling of both fights, or of one of them. */

import { Reader } from './reader.js';
import { isGhosted } from './marks.js';

/** @typedef {import('./types.js').ComparisonPage} ComparisonPage */
/** @typedef {import('./types.js').ComparisonRow} ComparisonRow */
/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {import('./types.js').Frame} Frame */

/** The letters of the two fights. */
export const LETTERS = ['A', 'B'];

/** The entry of one fight in a row. @param {ComparisonRow | undefined} row @param {number} side */
export const entryOf = (row, side) => (side === 0 ? row?.first : (row?.second ?? (row?.alike ? row.first : undefined)));

/** A row as one entry: the ruling that counts, with the words of both if they differ. @param {ComparisonRow} row @returns {ReplayEntry} */
function mergeRow(row) {
  const both = [entryOf(row, 0), entryOf(row, 1)];
  const entries = /** @type {ReplayEntry[]} */ (both.filter(Boolean));
  const main = /** @type {ReplayEntry} */ (entries.find((entry) => !isGhosted(entry.frame)) ?? entries[0]);
  const ticks = [...new Set(entries.flatMap((entry) => entry.frame.ticks ?? []))];
  const words = (/** @type {(entry: ReplayEntry) => string | undefined} */ of) =>
    row.alike
      ? of(main)
      : both.flatMap((entry, at) => (entry ? [`${LETTERS[at]}: ${of(entry) ?? 'hidden'}`] : [])).join('  ');
  return {
    ...main,
    line: words((entry) => entry.line),
    lead: words((entry) => entry.lead),
    frame: { ...main.frame, ticks, amended: !row.alike && entries.length > 1 },
  };
}

/** Both fights, open at a place. */
export class Pairs extends Reader {
  /** @param {ComparisonPage} comparison */
  constructor(comparison) {
    const entries = comparison.rows.map(mergeRow);
    const [column] = comparison.columns;
    super({
      ...{
        encounter: '',
        title: comparison.title,
        rules: '',
        view: comparison.view,
        viewpoint: comparison.viewpoint,
        status: '',
        program: comparison.program,
      },
      ...{ seal: '', rows: [], figures: [], luck: [], played: [] },
      people: column.people,
      counters: column.counters,
      decider: comparison.first,
      result: null,
      entries,
    });
    this.comparison = comparison;
    this.sequences = { stands: entries, played: entries, both: entries };
    this.reading = /** @type {import('./reader.js').Reading} */ ('both');
    this.at = entries.length - 1;
    /** The newest visible frame of each fight at each row. @type {[Frame | undefined, Frame | undefined][]} */
    this.framesAtRow = [];
    for (const row of comparison.rows) {
      const before = this.framesAtRow.at(-1) ?? [undefined, undefined];
      const now = [0, 1]
        .map((side) => entryOf(row, side)?.frame)
        .map((frame, side) => (frame && !frame.hidden ? frame : before[side]));
      this.framesAtRow.push([now[0], now[1]]);
    }
  }

  get row() {
    return /** @type {ComparisonRow} */ (this.comparison.rows[this.at]);
  }

  /** The name of a row in an address: the number in the first fight, or `b` and the number in the second. @param {ComparisonRow} row */
  static nameOf(row) {
    return row.first ? String(row.first.frame.number) : `b${row.second?.frame.number}`;
  }

  /** Go to the row with that name. @param {string} name */
  goToRow(name) {
    const at = this.comparison.rows.findIndex((row) => Pairs.nameOf(row) === name);
    if (at >= 0) this.go(at);
  }

  /** Go to the first row in which a fight has a ruling with that number. @param {number} number */
  goToRuling(number) {
    const at = this.comparison.rows.findIndex((row) =>
      [0, 1].some((side) => entryOf(row, side)?.frame.number === number),
    );
    if (at >= 0) this.go(at);
  }

  /** Do nothing: both fights are always read as they stand. */
  read() {}
}
