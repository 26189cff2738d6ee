/** The statistics at the end of the log: blows, harm, points by purpose, luck, and the deciding die. */

import { Part } from './reader.js';
import { badge } from './badges.js';
import { escapeHtml } from './text.js';

/** @typedef {import('./types.js').Figures} Figures */

export class MamFigures extends Part {
  open() {
    const { figures, luck, decider, people } = this.reader.page;
    const heads = ['', 'attacks', 'hit', 'half', 'missed', 'dealt', 'taken'];
    const rows = figures.map((one) => {
      const { attacks = 0, hits = 0, halves = 0, misses = 0, dealt = 0, taken = 0 } = one;
      const cells = [attacks, hits, halves, misses, dealt, taken].map((count) => `<td>${count}</td>`);
      return `<tr><th scope="row">${badge(people[one.combatant])}${escapeHtml(one.name)}</th>${cells.join('')}</tr>`;
    });
    const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
    const decided = decider ? ` <button class="ref" data-to="${decider}">№ ${decider}</button>` : '';
    const told = luck.map((sentence, at) => `<p>${escapeHtml(sentence)}${at === luck.length - 1 ? decided : ''}</p>`);
    let closed = false;
    const details = () => /** @type {HTMLDetailsElement} */ (this.querySelector('details'));
    addEventListener('beforeprint', () => {
      closed = !details().open;
      details().open = true;
    });
    addEventListener('afterprint', () => (details().open = !closed));
    this.innerHTML = `<details><summary>The fight in figures</summary><div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>${spending(figures)}${told.join('')}</details>`;
  }
}

/** The points that were spent, by purpose. @param {Figures[]} figures */
function spending(figures) {
  const lines = figures.map(({ name, spent }) => {
    const told = Object.entries(spent ?? {}).map(([purpose, points]) => `${points} on ${escapeHtml(purpose)}`);
    return told.length ? `<li>${escapeHtml(name)}: ${told.join(', ')}</li>` : '';
  });
  return lines.some(Boolean) ? `<h3>Points spent</h3><ul>${lines.join('')}</ul>` : '';
}
