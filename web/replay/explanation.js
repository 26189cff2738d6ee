/** The explanation of a number: its parts, and the rulings that changed it. */

import { Part } from './reader.js';
import { inPool, poolsOf } from './points.js';
import { countWords, escapeHtml, withSign } from './text.js';

/** @typedef {import('./types.js').Roll} Roll */

/** The number of latest changes of a number that are listed one by one. */
const MOST = 30;

export class MamExplanation extends Part {
  /** @type {HTMLElement | null} */
  #asked = null;

  open() {
    this.popover = 'auto';
    this.addEventListener('toggle', (event) => {
      const inside = document.activeElement === document.body || this.contains(document.activeElement);
      if (/** @type {ToggleEvent} */ (event).newState === 'closed' && inside) this.#asked?.focus();
    });
  }

  show() {
    if (this.matches(':popover-open')) this.hidePopover();
  }

  /** Explain the number that was asked about. @param {HTMLElement} number */
  explain(number) {
    this.#asked = number;
    const { explanation, who = '', pool = '', roll = '' } = number.dataset;
    if (explanation === 'view') this.innerHTML = this.#view();
    else if (explanation === 'pool') this.innerHTML = this.#pool(who, pool);
    else this.innerHTML = this.#roll(this.reader.entry.rolls?.[Number(roll)]);
    this.showPopover();
    this.#beside(number);
    this.querySelector('button')?.focus();
  }

  #view() {
    return `<h3 id="explanation-head">Whose view this is</h3><p>${escapeHtml(this.reader.page.viewpoint)}</p>`;
  }

  /** @param {string} who @param {string} key */
  #pool(who, key) {
    const { reader } = this;
    const pool = poolsOf(reader.page.counters).find((one) => one.key === key);
    const name = reader.page.people[who]?.name ?? who;
    if (!pool) return '';
    const now = inPool(reader.frame.after?.[who], pool);
    const moved = reader.entries.slice(0, reader.at + 1).filter((entry) => inPool(entry.frame.changed?.[who], pool));
    const earlier = moved.slice(0, -MOST).reduce((sum, entry) => sum + inPool(entry.frame.changed?.[who], pool), 0);
    const before =
      moved.length > MOST ? `<dt>${earlier}</dt><dd>in ${countWords(moved.length - MOST, 'ruling')} before</dd>` : '';
    const rows = moved.slice(-MOST).map(({ frame, lead, then }) => {
      const step = inPool(frame.changed?.[who], pool);
      const said = [...(then ?? []), lead ?? ''].find((sentence) => sentence.includes(name)) ?? lead ?? '';
      return `<dt>${withSign(step)}</dt><dd>${escapeHtml(said)}</dd><dd><button class="go" data-to="${frame.number}">№ ${frame.number}</button></dd>`;
    });
    const none = '<dd class="none">Nothing has moved here yet.</dd>';
    return `<h3 id="explanation-head">${escapeHtml(name)}, ${pool.name}: ${now}</h3><dl>${before}${rows.join('') || none}<dt class="eq">${now}</dt><dd class="eq">after № ${reader.frame.number}</dd></dl>`;
  }

  /** @param {Roll | undefined} roll */
  #roll(roll) {
    if (!roll) return '';
    const dice = this.#dice(roll);
    const added = roll.modifiers.map(
      (one) =>
        `<dt>${withSign(one.value)}</dt><dd>${escapeHtml(one.name)}</dd><dd class="rid">${escapeHtml(one.rule || 'the game master')}</dd>`,
    );
    return `<h3 id="explanation-head">${escapeHtml(roll.name)}, ${escapeHtml(roll.what)}: ${roll.total}</h3><dl>${dice}${added.join('')}<dt class="eq">${roll.total}</dt><dd class="eq">${escapeHtml(roll.what)}</dd></dl>`;
  }

  /** The die of a roll, or the dice of a code. @param {Roll} roll */
  #dice(roll) {
    const row = (/** @type {Roll} */ one, /** @type {string} */ what) =>
      `<dt>${one.face}</dt><dd>${escapeHtml(what)}, ${escapeHtml(one.source)}</dd><dd class="rid">${one.kind}</dd>`;
    if (roll.kind) return row(roll, 'die');
    const rolls = this.reader.entry.rolls ?? [];
    const own = [];
    for (const one of rolls.slice(rolls.indexOf(roll) + 1)) {
      if (!one.kind || one.combatant !== roll.combatant) break;
      own.push(row(one, one.what));
    }
    return own.join('');
  }

  /** Place the explanation beside that number, inside the window. @param {HTMLElement} number */
  #beside(number) {
    const { left, width, top, bottom } = number.getBoundingClientRect();
    const [own, high] = [this.offsetWidth, this.offsetHeight];
    const below = bottom + high + 10 <= innerHeight;
    this.style.left = `${Math.max(12, Math.min(innerWidth - own - 12, left + width / 2 - own / 2))}px`;
    this.style.top = `${below ? bottom + 8 : Math.max(12, top - high - 8)}px`;
  }
}
