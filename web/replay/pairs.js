/** Two fights as one page; each place is a row with the ruling of both fights, or of one of them. */

import { Reader } from './reader.js';
import { isGhosted } from './marks.js';

/** @typedef {import('./types.js').Facing} Facing */
/** @typedef {import('./types.js').Row} Row */
/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {import('./types.js').Frame} Frame */

/** The letters of the two fights. */
export const LETTERS = ['A', 'B'];

/** The entry of one fight in a row. @param {Row | undefined} row @param {number} side */
export const entryOf = (row, side) => (side === 0 ? row?.first : (row?.second ?? (row?.alike ? row.first : undefined)));

/** A row as one entry: the ruling that counts, with the words of both if they differ. @param {Row} row @returns {ReplayEntry} */
function mergeRow(row) {
  const both = [entryOf(row, 0), entryOf(row, 1)];
  const told = /** @type {ReplayEntry[]} */ (both.filter(Boolean));
  const most = /** @type {ReplayEntry} */ (told.find((entry) => !isGhosted(entry.frame)) ?? told[0]);
  const ticks = [...new Set(told.flatMap((entry) => entry.frame.ticks ?? []))];
  const words = (/** @type {(entry: ReplayEntry) => string | undefined} */ of) =>
    row.alike
      ? of(most)
      : both.flatMap((entry, at) => (entry ? [`${LETTERS[at]}: ${of(entry) ?? 'hidden'}`] : [])).join('  ');
  return {
    ...most,
    line: words((entry) => entry.line),
    lead: words((entry) => entry.lead),
    frame: { ...most.frame, ticks, amended: !row.alike && told.length > 1 },
  };
}

/** Both fights, open at a place. */
export class Pairs extends Reader {
  /** @param {Facing} found */
  constructor(found) {
    const entries = found.rows.map(mergeRow);
    const [column] = found.columns;
    super({
      ...{
        encounter: '',
        title: found.title,
        rules: '',
        view: found.view,
        viewpoint: found.viewpoint,
        status: '',
        program: found.program,
      },
      ...{ seal: '', rows: [], figures: [], luck: [], played: [] },
      people: column.people,
      counters: column.counters,
      decider: found.first,
      result: null,
      entries,
    });
    this.found = found;
    this.sequences = { stands: entries, played: entries, both: entries };
    this.reading = /** @type {import('./reader.js').Reading} */ ('both');
    this.at = entries.length - 1;
    /** The newest visible frame of each fight at each row. @type {[Frame | undefined, Frame | undefined][]} */
    this.standing = [];
    for (const row of found.rows) {
      const before = this.standing.at(-1) ?? [undefined, undefined];
      const now = [0, 1]
        .map((side) => entryOf(row, side)?.frame)
        .map((frame, side) => (frame && !frame.hidden ? frame : before[side]));
      this.standing.push([now[0], now[1]]);
    }
  }

  get row() {
    return /** @type {Row} */ (this.found.rows[this.at]);
  }

  /** The name of a row in an address: the number in the first fight, or `b` and the number in the second. @param {Row} row */
  static nameOf(row) {
    return row.first ? String(row.first.frame.number) : `b${row.second?.frame.number}`;
  }

  /** Go to the row with that name. @param {string} name */
  called(name) {
    const at = this.found.rows.findIndex((row) => Pairs.nameOf(row) === name);
    if (at >= 0) this.go(at);
  }

  /** Go to the first row in which a fight has a ruling with that number. @param {number} number */
  to(number) {
    const at = this.found.rows.findIndex((row) => [0, 1].some((side) => entryOf(row, side)?.frame.number === number));
    if (at >= 0) this.go(at);
  }

  /** Do nothing: both fights are always read as they stand. */
  read() {}
}
