/** Two fights side by side: the state of each at this row, all rows (equal ones only once), and where they part. */

import { Part } from './reader.js';
import { badge } from './badges.js';
import { die } from './dice.js';
import { markWords } from './log.js';
import { isGhosted } from './marks.js';
import { LETTERS, entryOf } from './pairs.js';
import { bar } from './points.js';
import { MamTimeline } from './timeline.js';
import { attribute, escapeHtml, lineWords, bookkeepingHtml, withSign } from './text.js';

/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {import('./types.js').Frame} Frame */
/** @typedef {import('./types.js').ComparisonRow} ComparisonRow */
/** @typedef {import('./pairs.js').Pairs} Pairs */

/** Up to this number of fighters, all are shown; beyond it, only those who differ or whom the row is about. */
const MAX_FIGHTERS = 4;
/** The number of rows shown before the fights part. */
const ROWS_BEFORE_PARTING = 2;
/** The maximum number of rows on the page, around the current one. */
const WINDOW = 300;

const tag = (/** @type {number} */ side) => `<span class="tag ${side ? 'b' : ''}">${LETTERS[side]}</span>`;

/** A part of a page of two fights. */
class Both extends Part {
  get pairs() {
    return /** @type {Pairs} */ (this.reader);
  }
}

export class MamCompare extends Both {
  show() {
    this.innerHTML = [0, 1].map((side) => this.#side(side)).join('');
  }

  /** @param {number} side */
  #side(side) {
    const { comparison, row, framesAtRow, at } = this.pairs;
    const column = comparison.columns[side === 0 ? 0 : 1];
    const entry = entryOf(row, side);
    const frame = framesAtRow[at]?.[side];
    const name = `<h2>${tag(side)} ${escapeHtml(column.name)}</h2><p class="label">${escapeHtml(column.caption)}</p>`;
    const ids = Object.keys(frame?.after ?? {}).filter((id) => this.#isShown(id));
    const points = frame ? ids.map((id) => this.#fighter(id, side, frame)) : [];
    const sentenceHtml = entry
      ? sentenceOf(entry)
      : `<p class="duelline none">Nothing here: unchanged since № ${frame?.number ?? 0}.</p>`;
    return `<section class="side ${side ? 'b' : ''}" aria-label="${LETTERS[side]}: ${attribute(column.name)}">${name}<div class="now">${sentenceHtml}</div><div class="minis">${points.join('')}</div></section>`;
  }

  /** True if a combatant is shown: in a large fight only if this row is about them, or they differ. @param {string} id */
  #isShown(id) {
    const { row, framesAtRow, at } = this.pairs;
    const everybody = new Set((framesAtRow[at] ?? []).flatMap((frame) => Object.keys(frame?.after ?? {})));
    if (everybody.size <= MAX_FIGHTERS || row.differences?.[id]) return true;
    return [entryOf(row, 0), entryOf(row, 1)].some(
      (entry) =>
        entry?.frame.acting === id ||
        entry?.frame.changed?.[id] ||
        entry?.duel?.parts.some((part) => part.combatant === id),
    );
  }

  /** @param {string} id @param {number} side @param {Frame} frame */
  #fighter(id, side, frame) {
    const { comparison, row } = this.pairs;
    const column = comparison.columns[side === 0 ? 0 : 1];
    const person = column.people[id];
    const name = person?.name ?? id;
    const differences = row.differences?.[id];
    const more = differences?.[side] ? `<span class="difference">≠ ${escapeHtml(differences[side])}</span>` : '';
    const differenceWords = differences ? more : 'the same in both';
    const doing = frame.doing?.[id]?.map((activity) => escapeHtml(activity.words)) ?? [];
    const points = person?.hp ? bar(frame.after?.[id] ?? {}, undefined, column.counters, name) : '';
    return `<div class="mini${differences ? '' : ' same'}">${badge(person)}${points}<p class="label">${[`${escapeHtml(name)} ${differenceWords}`, ...doing].join(' · ')}</p></div>`;
  }
}

/** The ruling of one fight: its dice or its line, then its marks in words. @param {ReplayEntry} entry */
function sentenceOf(entry) {
  const { frame, duel, rolls } = entry;
  if (frame.hidden) return `<p class="duelline">№ ${frame.number} is hidden from this view.</p>`;
  const notes = (frame.marks ?? []).map((mark) => `<p class="note">${escapeHtml(markWords(mark))}</p>`).join('');
  const sideRolls = duel?.parts.map((part) => (part.roll === undefined ? undefined : rolls?.[part.roll])) ?? [];
  const [first, second] = sideRolls;
  if (!duel || !first || !second || isGhosted(frame)) {
    const ghost = isGhosted(frame) ? 'ghost' : '';
    return `<p class="duelline ${ghost}">${bookkeepingHtml(frame, 'span')}<span class="sentence">${lineWords(entry)}</span></p>${notes}`;
  }
  const winner = duel.outcome === 'fail' ? second : first;
  const total = (/** @type {import('./types.js').AuditRoll} */ roll) =>
    `<span class="big ${roll === winner ? '' : 'lose'}">${roll.total}</span>`;
  const face = (/** @type {import('./types.js').AuditRoll} */ roll) =>
    die(roll.face, { label: attribute(`${roll.name}: ${roll.face}, ${roll.source || 'fixed'}`) });
  const sums = [first, second].map((roll) => {
    const modifiers = roll.modifiers
      .filter(({ value }) => value)
      .map(({ value, name }) => `${withSign(value)} ${escapeHtml(name)}`);
    return `${escapeHtml(roll.name)} ${[roll.face || roll.total, ...modifiers].join(' ')}`;
  });
  const miss = duel.outcome === 'fail' ? 'miss' : '';
  return `${bookkeepingHtml(frame)}<div class="duo">${face(first)}${total(first)}<div class="mid"><p class="verdict ${miss}"><b class="caps">${escapeHtml(duel.verdict)}</b></p><div class="rapier" aria-hidden="true"><svg><use href="#hilt"/></svg><i></i></div></div>${total(second)}${face(second)}</div><p class="label eqn">${sums.join(' · ')}</p>${notes}`;
}

export class MamPairs extends Both {
  #first = -1;
  #all = false;

  open() {
    this.addEventListener('click', (event) => {
      const on = /** @type {HTMLElement} */ (event.target);
      const row = /** @type {HTMLElement | null} */ (on.closest('[data-row]'));
      if (row) this.reader.go(Number(row.dataset.row));
      else if (on.closest('[data-alike]')) this.#unfold();
    });
  }

  reread() {
    this.#first = -1;
  }

  show() {
    const { at, comparison } = this.pairs;
    const count = comparison.rows.length;
    if (at < this.#hidden) this.#all = true;
    const isInside = this.#first >= 0 && at >= this.#first && at < this.#first + WINDOW;
    if (!isInside || (this.querySelector('[data-alike]') === null) !== this.#all) {
      this.#first = Math.max(0, Math.min(at - WINDOW / 2, count - WINDOW));
      this.innerHTML = this.#rows();
    }
    this.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const row = /** @type {HTMLElement | null} */ (this.querySelector(`[data-row="${at}"]`));
    row?.setAttribute('aria-current', 'step');
    if (row && this.scrollHeight > this.clientHeight + 4) {
      this.scrollTop = row.offsetTop - this.offsetTop - this.clientHeight * 0.42;
    }
  }

  /** The number of rows before the fights part that are folded into one. */
  get #hidden() {
    const { parting } = this.pairs.comparison;
    return this.#all ? 0 : Math.max(0, parting - ROWS_BEFORE_PARTING);
  }

  #unfold() {
    this.#all = true;
    this.#first = -1;
    this.show();
    /** @type {HTMLElement | null} */ (this.querySelector('[data-row]'))?.focus({ preventScroll: true });
  }

  #rows() {
    const { comparison } = this.pairs;
    const start = Math.max(this.#first, this.#hidden);
    const visibleRows = comparison.rows.slice(start, this.#first + WINDOW);
    const reasons = comparison.sentences.slice(1).map(escapeHtml).join(' ');
    const partingHtml = `<mam-parting class="part"><span>${FORK}here they differ</span>${reasons ? `<small>${reasons}</small>` : ''}</mam-parting>`;
    const rows = visibleRows.map(
      (row, n) => (start + n === comparison.parting ? partingHtml : '') + rowOf(row, start + n),
    );
    const endHtml = comparison.parting < 0 ? '<p class="part"><span>they never differ</span></p>' : '';
    return this.#foldedRow() + rows.join('') + (start + visibleRows.length === comparison.rows.length ? endHtml : '');
  }

  #foldedRow() {
    const { rows } = this.pairs.comparison;
    if (!this.#hidden) return '';
    const last = rows[this.#hidden - 1]?.first?.frame.number;
    return `<button class="row same alike" data-alike><span class="both-fights">№ ${rows[0]?.first?.frame.number} to ${last} are alike in both</span></button>`;
  }
}

const FORK =
  '<svg viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><path d="M13 0v9M13 9c0 6-8 5-8 16M13 9c0 6 8 5 8 16"/></svg>';

/** @param {ComparisonRow} row @param {number} at */
function rowOf(row, at) {
  const points = row.differences && Object.keys(row.differences).length;
  if (row.alike && row.first) {
    const more = points ? ' <span class="difference">≠ other points</span>' : '';
    return `<button class="row same" data-row="${at}"><span class="both-fights"><span class="number">${row.first.frame.number}</span> ${words(row.first)}${more}</span></button>`;
  }
  const number = row.first?.frame.number ?? 0;
  const cells = [row.first, row.second].map((entry, side) => {
    if (!entry) return '<span class="cell none"></span>';
    const numberHtml = entry.frame.number === number ? '' : `<span class="number">${entry.frame.number}</span> `;
    return `<span class="cell">${tag(side)}<span class="${isGhosted(entry.frame) ? 'ghost' : ''}">${numberHtml}${words(entry)}</span></span>`;
  });
  return `<button class="row" data-row="${at}">${number ? `<span class="number">${number}</span>` : ''}${cells.join('')}</button>`;
}

/** The line of a ruling, and its marks in words. @param {ReplayEntry} entry */
function words(entry) {
  const { frame } = entry;
  if (frame.hidden) return 'hidden from this view';
  const marks = (frame.marks ?? []).map((mark) => ` <span class="m">${escapeHtml(markWords(mark))}</span>`);
  return `${bookkeepingHtml(frame, 'span')}<span class="sentence">${lineWords(entry)}</span>${marks.join('')}`;
}

/** The timeline, with the place where the fights part. */
export class MamPartingTimeline extends MamTimeline {
  reread() {
    super.reread();
    const { comparison } = /** @type {Pairs} */ (this.reader);
    if (comparison.parting < 0) return;
    const left = `left:${(comparison.parting / comparison.rows.length) * 100}%`;
    this.insertAdjacentHTML(
      'afterbegin',
      `<span class="fork ${comparison.parting * 6 < comparison.rows.length ? 'r' : ''}" data-style="${left}">they differ</span>`,
    );
  }
}

/** The ruling of each fight at this row, for windows in which the columns are out of sight. */
export class MamRowStrip extends Both {
  show() {
    const { row } = this.pairs;
    this.innerHTML = [0, 1]
      .map((side) => {
        const entry = entryOf(row, side);
        const lineHtml = entry
          ? `<b>${entry.frame.number}</b> ${entry.frame.hidden ? 'hidden' : lineWords(entry)}`
          : '–';
        return `<p>${tag(side)}<span>${lineHtml}</span></p>`;
      })
      .join('');
  }
}
