/** The explanation of a number: its parts, and the rulings that changed it. */

import { Part } from './reader.js';
import { inPool, poolsOf } from './points.js';
import { countWords, escapeHtml, withSign } from './text.js';

/** @typedef {import('./types.js').AuditRoll} AuditRoll */

/** The number of latest changes of a number that are listed one by one. */
const MAX_CHANGES = 30;

export class MamExplanation extends Part {
  /** @type {HTMLElement | null} */
  #explainedNumber = null;

  open() {
    this.popover = 'auto';
    this.addEventListener('toggle', (event) => {
      const isInside = document.activeElement === document.body || this.contains(document.activeElement);
      if (/** @type {ToggleEvent} */ (event).newState === 'closed' && isInside) this.#explainedNumber?.focus();
    });
  }

  show() {
    if (this.matches(':popover-open')) this.hidePopover();
  }

  /** Explain the number that was asked about. @param {HTMLElement} number */
  explain(number) {
    this.#explainedNumber = number;
    const { explanation, who = '', pool = '', roll = '' } = number.dataset;
    if (explanation === 'view') this.innerHTML = this.#view();
    else if (explanation === 'pool') this.innerHTML = this.#pool(who, pool);
    else this.innerHTML = this.#roll(this.reader.entry.rolls?.[Number(roll)]);
    this.showPopover();
    this.#placeBeside(number);
    this.querySelector('button')?.focus();
  }

  #view() {
    return `<h3 id="explanation-head">Whose view this is</h3><p>${escapeHtml(this.reader.page.viewpoint)}</p>`;
  }

  /** @param {string} who @param {string} key */
  #pool(who, key) {
    const { reader } = this;
    const pool = poolsOf(reader.page.counters).find((candidate) => candidate.key === key);
    const name = reader.page.people[who]?.name ?? who;
    if (!pool) return '';
    const now = inPool(reader.frame.after?.[who], pool);
    const changes = reader.entries.slice(0, reader.at + 1).filter((entry) => inPool(entry.frame.changed?.[who], pool));
    const earlierSum = changes
      .slice(0, -MAX_CHANGES)
      .reduce((sum, entry) => sum + inPool(entry.frame.changed?.[who], pool), 0);
    const before =
      changes.length > MAX_CHANGES
        ? `<dt>${earlierSum}</dt><dd>in ${countWords(changes.length - MAX_CHANGES, 'ruling')} before</dd>`
        : '';
    const rows = changes.slice(-MAX_CHANGES).map(({ frame, lead, consequences }) => {
      const step = inPool(frame.changed?.[who], pool);
      const words = [...(consequences ?? []), lead ?? ''].find((sentence) => sentence.includes(name)) ?? lead ?? '';
      return `<dt>${withSign(step)}</dt><dd>${escapeHtml(words)}</dd><dd><button class="go" data-to="${frame.number}">№ ${frame.number}</button></dd>`;
    });
    const none = '<dd class="none">Nothing has moved here yet.</dd>';
    return `<h3 id="explanation-head">${escapeHtml(name)}, ${pool.name}: ${now}</h3><dl>${before}${rows.join('') || none}<dt class="equation">${now}</dt><dd class="equation">after № ${reader.frame.number}</dd></dl>`;
  }

  /** @param {AuditRoll | undefined} roll */
  #roll(roll) {
    if (!roll) return '';
    const dice = this.#dice(roll);
    const modifierRows = roll.modifiers.map(
      (modifier) =>
        `<dt>${withSign(modifier.value)}</dt><dd>${escapeHtml(modifier.name)}</dd><dd class="rule-id">${escapeHtml(modifier.rule || 'the game master')}</dd>`,
    );
    return `<h3 id="explanation-head">${escapeHtml(roll.name)}, ${escapeHtml(roll.what)}: ${roll.total}</h3><dl>${dice}${modifierRows.join('')}<dt class="equation">${roll.total}</dt><dd class="equation">${escapeHtml(roll.what)}</dd></dl>`;
  }

  /** The die of a roll, or the dice of a code. @param {AuditRoll} roll */
  #dice(roll) {
    const row = (/** @type {AuditRoll} */ dieRoll, /** @type {string} */ what) =>
      `<dt>${dieRoll.face}</dt><dd>${escapeHtml(what)}, ${escapeHtml(dieRoll.source)}</dd><dd class="rule-id">${dieRoll.kind}</dd>`;
    if (roll.kind) return row(roll, 'die');
    const rolls = this.reader.entry.rolls ?? [];
    const ownRows = [];
    for (const dieRoll of rolls.slice(rolls.indexOf(roll) + 1)) {
      if (!dieRoll.kind || dieRoll.combatant !== roll.combatant) break;
      ownRows.push(row(dieRoll, dieRoll.what));
    }
    return ownRows.join('');
  }

  /** Place the explanation beside that number, inside the window. @param {HTMLElement} number */
  #placeBeside(number) {
    const { left, width, top, bottom } = number.getBoundingClientRect();
    const [ownWidth, ownHeight] = [this.offsetWidth, this.offsetHeight];
    const fitsBelow = bottom + ownHeight + 10 <= innerHeight;
    this.style.left = `${Math.max(12, Math.min(innerWidth - ownWidth - 12, left + width / 2 - ownWidth / 2))}px`;
    this.style.top = `${fitsBelow ? bottom + 8 : Math.max(12, top - ownHeight - 8)}px`;
  }
}
