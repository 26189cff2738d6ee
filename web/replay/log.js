/** The log beside the card: a line for each ruling, which jumps to its moment. */

import { Part } from './reader.js';
import { outcomeSign, statusSign, isGhosted, mark } from './marks.js';
import { escapeHtml, lineWords, joinNumbers, bookkeepingHtml } from './text.js';

/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {import('./types.js').Frame} Frame */

const ORDINALS = ['', 'First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth'];
/** The ending of an ordinal number: 21st, 111th. @param {number} number */
const ending = (number) =>
  (number % 100 > 10 && number % 100 < 14 ? 'th' : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th';
/** The maximum number of lines on the page, around the current one. */
const WINDOW = 160;
/** The lines are drawn again if the current one comes nearer than this to their edge. */
const MARGIN = 20;
/** The delay in milliseconds before the lines follow somebody who scrubs. */
const FOLLOW_DELAY = 60;

export class MamLog extends Part {
  #first = -1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #followTimer;

  /** Print the whole log. */
  open() {
    addEventListener('beforeprint', () => (this.innerHTML = this.#lines(this.reader.entries, true)));
    addEventListener('afterprint', () => [this.#draw(), this.#mark()]);
  }

  reread() {
    this.#first = -1;
  }

  show() {
    clearTimeout(this.#followTimer);
    if (this.#first < 0) this.#draw();
    if (this.#inside) this.#mark();
    else this.#followTimer = setTimeout(() => [this.#draw(), this.#mark()], FOLLOW_DELAY);
  }

  /** True if the lines around the current one are already drawn. */
  get #inside() {
    const { at, entries } = this.reader;
    const [low, high] = [this.#first, this.#first + WINDOW];
    return (low === 0 || at >= low + MARGIN) && (high >= entries.length || at < high - MARGIN);
  }

  #draw() {
    const { at, entries } = this.reader;
    this.#first = Math.max(0, Math.min(at - WINDOW / 2, entries.length - WINDOW));
    this.innerHTML = this.#lines(entries.slice(this.#first, this.#first + WINDOW));
  }

  #mark() {
    this.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const line = /** @type {HTMLElement | null} */ (
      this.querySelector(`.line[data-to="${this.reader.frame.number}"], [data-all~="${this.reader.frame.number}"]`)
    );
    line?.setAttribute('aria-current', 'step');
    this.#reveal(line);
  }

  /** Scroll the log to a line, without scrolling the window. @param {HTMLElement | null} line */
  #reveal(line) {
    const page = /** @type {HTMLElement | null} */ (this.closest('.page'));
    if (line && page && page.scrollHeight > page.clientHeight + 4) {
      page.scrollTop = line.offsetTop - page.offsetTop - page.clientHeight * 0.42;
    }
  }

  /** @param {ReplayEntry[]} visibleEntries @param {boolean} [whole] without folds, which nobody can open on paper */
  #lines(visibleEntries, whole = false) {
    const { reader } = this;
    const omittedRuns = reader.filter ? new Map() : this.#omittedRuns();
    const folds = reader.reading === 'stands' && !reader.filter && !whole;
    /** A run of turns in which nothing happens. @type {ReplayEntry[]} */
    let turns = [];
    const carets = (/** @type {number} */ before) => (omittedRuns.get(before) ?? []).map(caret).join('');
    let html = '';
    let round = -1;
    for (const entry of visibleEntries) {
      const { frame } = entry;
      const between = carets(frame.number);
      const now = frame.hidden ? round : (frame.round ?? 0);
      const isLoneTurn = folds && entry.turn_alone;
      if (between || now !== round || !isLoneTurn) {
        html += this.#turns(turns) + between;
        turns = [];
      }
      const matches = !reader.filter || reader.filter(entry);
      // Bookkeeping comes before the ruling, so before the heading of a round that the ruling begins.
      if (matches) html += bookkeepingHtml(frame);
      if (now !== round) {
        html += `<h3>${now ? `${ORDINALS[now] ?? `${now}${ending(now)}`} round` : 'Before the fight'}</h3>`;
        round = now;
      }
      if (isLoneTurn) turns.push(entry);
      else if (matches) html += lineOf(entry, this.#isApart(entry));
    }
    html += this.#turns(turns);
    return html + (reader.entries.at(-1) === visibleEntries.at(-1) ? carets(0) : '<p class="more label">…</p>');
  }

  /** One line for a run of turns in which nothing happens. @param {ReplayEntry[]} run */
  #turns(run) {
    const numbers = run.map(({ frame }) => frame.number);
    const name = (/** @type {ReplayEntry} */ { frame }) => this.reader.page.people[frame.acting ?? '']?.name ?? '';
    const sentences = run.flatMap((entry, at) => {
      const [before, after] = [run[at - 1], run[at + 1]];
      if (entry.frame.do !== 'begin-turn') return before || after ? [] : [lineWords(entry)];
      return [escapeHtml(after ? `${name(entry)} does nothing` : `${name(entry)}'s turn begins`)];
    });
    return run.length
      ? `<button class="turns" data-to="${numbers[0]}" data-all="${numbers.join(' ')}">№ ${joinNumbers(numbers)} · ${sentences.join('; ')}</button>`
      : '';
  }

  /** True if a line is not about the chosen combatant. @param {ReplayEntry} entry */
  #isApart({ frame, line }) {
    const { chosenId, page } = this.reader;
    return Boolean(chosenId) && frame.acting !== chosenId && !line?.includes(page.people[chosenId]?.name ?? '');
  }

  /** The entries that this reading leaves out, in runs, by the number of the line after them (0: none). */
  #omittedRuns() {
    const { reading, entries, page } = this.reader;
    /** @type {Map<number, ReplayEntry[][]>} */
    const runsBefore = new Map();
    if (reading !== 'stands') return runsBefore;
    const visibleEntries = new Set(entries);
    /** @type {ReplayEntry[][]} */
    let runs = [];
    /** All corrections of joins, in one run at the place of the first. @type {ReplayEntry[]} */
    const roster = [];
    const close = (/** @type {number} */ before) => {
      if (runs.length) runsBefore.set(before, runs);
      runs = [];
    };
    for (const entry of page.entries) {
      const last = runs.at(-1);
      if (visibleEntries.has(entry)) {
        close(entry.frame.number);
      } else if (this.#ofRoster(entry)) {
        if (!roster.length) runs.push(roster);
        roster.push(entry);
      } else if (last?.[0] && last !== roster && omissionReason(last[0].frame) === omissionReason(entry.frame)) {
        last.push(entry);
      } else {
        runs.push([entry]);
      }
    }
    close(0);
    return runsBefore;
  }

  /** True for a correction of joins, and for a join that such a correction undid. @param {ReplayEntry} entry */
  #ofRoster(entry) {
    const undoing = entry.frame.do === 'join' ? entry.frame.struck : undefined;
    return Boolean((undoing ? this.reader.newest.get(undoing.by) : entry)?.corrects_roster);
  }
}

/** The reason why an entry is left out: the same for all that one correction undid, its own for a correction. @param {Frame} frame */
function omissionReason(frame) {
  if (frame.kind === 'correction' && !frame.restored_by) return `correction ${frame.number}`;
  const by = frame.struck?.by || frame.restored_by || frame.rejudged_by || 0;
  return `${frame.void && !frame.struck ? 'void' : 'undone'} by № ${by}`;
}

/** A line for a run of entries that this reading leaves out. @param {ReplayEntry[]} run */
function caret(run) {
  const [first] = run;
  if (!first) return '';
  const numbers = `№ ${joinNumbers(run.map((entry) => entry.frame.number))}`;
  const { frame } = first;
  if (run.some((entry) => entry.corrects_roster))
    return `<button class="omission roster" data-to="${frame.number}">Who joined was corrected: ${numbers}</button>`;
  const isCorrection = frame.kind === 'correction' && !frame.restored_by;
  const reason = isCorrection
    ? escapeHtml(frame.sentence?.split('. ')[0]?.replace(/\.$/, '') ?? '')
    : omissionReason(frame);
  return `<button class="omission" data-to="${frame.number}">${numbers} ${reason}</button>`;
}

/** @param {ReplayEntry} entry @param {boolean} isApart */
function lineOf(entry, isApart) {
  const { frame } = entry;
  const ghost = isGhosted(frame);
  const sign = ghost ? statusSign(frame) : outcomeSign(frame) || statusSign(frame);
  const marks = (frame.marks ?? []).map(
    (text) => `<span class="m ${text.startsWith('~') ? 'changed' : ''}">${escapeHtml(markWords(text))}</span>`,
  );
  const name = `line${ghost ? ' ghost' : ''}${isApart ? ' dim' : ''}`;
  const lineHtml = frame.hidden ? '' : `<span class="sentence">${lineWords(entry)}</span>`;
  return `<button class="${name}" data-to="${frame.number}"><span class="number">${frame.number}</span>${mark(sign, 'mk')}<span>${lineHtml}${marks.join('')}</span></button>`;
}

/** A mark of the log without its sign, which is already before the line. @param {string} text */
export const markWords = (text) => text.replace(/^[↶✗~?§↳↷◑▒] /u, '').replace(/^by (.+?)(: |$)/, 'undone by $1$2');
