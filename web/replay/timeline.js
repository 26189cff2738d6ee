/** The timeline under the page: a band for each round, signs above it, the current moment. */

import { Part } from './reader.js';
import { outcomeSign, statusSign, isGhosted, mark } from './marks.js';
import { lineWords } from './text.js';

const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
/** The maximum number of columns; in a longer fight each shows the most important sign of its rulings. */
const COLUMNS = 400;
/** The signs by importance, for columns with several rulings. */
const WEIGHT = ['', 'miss', 'hit', 'changed', 'ruling', 'rules', 'void', 'struck', 'correction', 'dispute', 'fall'];

export class MamTimeline extends Part {
  #dragging = false;

  open() {
    this.addEventListener('pointerdown', (event) => {
      this.#dragging = true;
      this.setPointerCapture(event.pointerId);
      this.reader.go(this.#placeUnder(event));
      this.#range?.focus({ preventScroll: true });
      event.preventDefault();
    });
    this.addEventListener('pointermove', (event) => this.#showTooltip(event));
    this.addEventListener('pointerup', () => this.#hideTooltip());
    this.addEventListener('pointercancel', () => this.#hideTooltip());
    this.addEventListener('pointerleave', () => this.#dragging || this.#hideTooltip());
    this.addEventListener('input', () => this.reader.go(Number(this.#range?.value)));
  }

  reread() {
    const { entries } = this.reader;
    const count = entries.length;
    const across = (/** @type {number} */ at) => `${(((at + 0.5) / count) * 100).toFixed(2)}%`;
    this.innerHTML = `<i class="scale"></i>${this.#bands(count)}${count > COLUMNS ? this.#columns() : this.#ticks(across)}<i class="ribbon"><b></b></i><input type="range" min="0" max="${count - 1}" aria-label="Ruling"><span class="tooltip" hidden></span>`;
  }

  show() {
    const { at, entries, frame, entry } = this.reader;
    const ribbon = /** @type {HTMLElement} */ (this.querySelector('.ribbon'));
    const across = `${((at + 0.5) / entries.length) * 100}%`;
    ribbon.style.left = across;
    ribbon.style.setProperty('--across', across);
    /** @type {HTMLElement} */ (ribbon.firstElementChild).textContent = String(frame.number);
    const range = /** @type {HTMLInputElement} */ (this.#range);
    range.value = String(at);
    range.setAttribute('aria-valuetext', `Ruling ${frame.number}: ${entry.lead ?? 'hidden'}`);
  }

  get #range() {
    return this.querySelector('input');
  }

  #hideTooltip() {
    this.#dragging = false;
    /** @type {HTMLElement} */ (this.querySelector('.tooltip')).hidden = true;
  }

  /** The place under the pointer. @param {PointerEvent} event */
  #placeUnder(event) {
    const { left, width } = this.getBoundingClientRect();
    const count = this.reader.entries.length;
    return Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - left) / width) * count)));
  }

  /** @param {PointerEvent} event */
  #showTooltip(event) {
    const at = this.#placeUnder(event);
    const entry = this.reader.entries[at];
    const tooltip = /** @type {HTMLElement} */ (this.querySelector('.tooltip'));
    if (this.#dragging && at !== this.reader.at) this.reader.go(at);
    tooltip.hidden = false;
    tooltip.innerHTML = `№ ${entry?.frame.number}  ${lineWords(entry)}`;
    const [half, width] = [tooltip.offsetWidth / 2, this.clientWidth];
    const x = ((at + 0.5) / this.reader.entries.length) * width;
    tooltip.style.left = `${Math.max(half, Math.min(width - half, x))}px`;
  }

  /** @param {number} count */
  #bands(count) {
    const { entries } = this.reader;
    let [html, first] = ['', 0];
    for (let at = 1; at <= count; at++) {
      const round = entries[first]?.frame.round ?? 0;
      if (at < count && (entries[at]?.frame.hidden || (entries[at]?.frame.round ?? 0) === round)) continue;
      const share = (at - first) / count;
      const name = round ? `${share > 0.2 ? 'Round ' : ''}${ROMAN[round] ?? round}` : share > 0.22 ? 'Joining' : '';
      const label = share > 0.02 ? name : '';
      html += `<span class="band label" data-style="left:${(first / count) * 100}%;width:${share * 100}%">${label}</span>`;
      first = at;
    }
    return html;
  }

  /** @param {(at: number) => string} across */
  #ticks(across) {
    return this.reader.entries
      .map(({ frame }, at) => {
        const [outcome, status] = [isGhosted(frame) ? '' : outcomeSign(frame), statusSign(frame)];
        const left = `left:${across(at)}`;
        const high = frame.do === 'begin-turn' ? 13 : 7;
        const line = `<i class="tick ${isGhosted(frame) ? 'st' : ''}" data-style="${left};height:${high}px"></i>`;
        const seam = this.#seam(at) ? `<i class="seam" data-style="${left}"></i>` : '';
        const signs =
          (outcome ? mark(outcome, 'rmk', left) : '') + (status ? mark(status, 'rmk second-row', left) : '');
        return line + seam + signs;
      })
      .join('');
  }

  /** True if a ruling before that place was left out. @param {number} at */
  #seam(at) {
    const { entries, reading } = this.reader;
    const [before, now] = [entries[at - 1]?.frame.number ?? 0, entries[at]?.frame.number ?? 0];
    return reading === 'stands' && at > 0 && now - before > 1;
  }

  #columns() {
    const { entries } = this.reader;
    let html = '';
    for (let column = 0; column < COLUMNS; column++) {
      const [first, end] = [column, column + 1].map((at) => Math.floor((at * entries.length) / COLUMNS));
      const signs = entries.slice(first, end).map(({ frame }) => statusSign(frame) || outcomeSign(frame));
      const heaviest = signs.reduce((best, sign) => (WEIGHT.indexOf(sign) > WEIGHT.indexOf(best) ? sign : best), '');
      if (WEIGHT.indexOf(heaviest) > 2) html += mark(heaviest, 'rmk', `left:${((column + 0.5) / COLUMNS) * 100}%`);
    }
    return html;
  }
}
