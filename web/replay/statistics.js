/** The statistics at the end of the log: blows, harm, points by purpose, luck, and the deciding die. */

import { Part } from './reader.js';
import { badge } from './badges.js';
import { escapeHtml } from './text.js';

/** @typedef {import('./types.js').Figures} Figures */

export class MamFigures extends Part {
  open() {
    const { figures, luck, decider, people } = this.reader.page;
    const heads = ['', 'attacks', 'hit', 'half', 'missed', 'dealt', 'taken'];
    const rows = figures.map((row) => {
      const { attacks = 0, hits = 0, halves = 0, misses = 0, dealt = 0, taken = 0 } = row;
      const cells = [attacks, hits, halves, misses, dealt, taken].map((count) => `<td>${count}</td>`);
      return `<tr><th scope="row">${badge(people[row.combatant])}${escapeHtml(row.name)}</th>${cells.join('')}</tr>`;
    });
    const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
    const deciderHtml = decider ? ` <button class="ref" data-to="${decider}">№ ${decider}</button>` : '';
    const luckHtml = luck.map(
      (sentence, at) => `<p>${escapeHtml(sentence)}${at === luck.length - 1 ? deciderHtml : ''}</p>`,
    );
    let wasClosed = false;
    const details = () => /** @type {HTMLDetailsElement} */ (this.querySelector('details'));
    addEventListener('beforeprint', () => {
      wasClosed = !details().open;
      details().open = true;
    });
    addEventListener('afterprint', () => (details().open = !wasClosed));
    this.innerHTML = `<details><summary>The fight in figures</summary><div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>${spending(figures)}${luckHtml.join('')}</details>`;
  }
}

/** The points that were spent, by purpose. @param {Figures[]} figures */
function spending(figures) {
  const lines = figures.map(({ name, spent }) => {
    const purposes = Object.entries(spent ?? {}).map(([purpose, points]) => `${points} on ${escapeHtml(purpose)}`);
    return purposes.length ? `<li>${escapeHtml(name)}: ${purposes.join(', ')}</li>` : '';
  });
  return lines.some(Boolean) ? `<h3>Points spent</h3><ul>${lines.join('')}</ul>` : '';
}
