/** The result, with which the page opens: who won, stands, fell or left, and the decisive moments. */

import { badge } from './badges.js';
import { mark } from './marks.js';
import { countWords, escapeHtml, lineWords } from './text.js';

/** @typedef {import('./reader.js').Reader} Reader */
/** @typedef {import('./types.js').Result} Result */

/** The words for a condition other than able. @type {Record<string, string>} */
const CONDITIONS = { incapacitated: 'down', dead: 'dead', out: 'out of the fight' };

/** The card of the result. @param {Reader} reader @param {Result} result */
export function resultCard({ page, newest }, result) {
  const { lead, reason, standing, moments, before } = result;
  const sides = [...new Set(Object.values(page.people).map((person) => person.side))];
  const shown = sides.map((side) => sideOf(side, result, page)).join('');
  const decided = Object.keys(standing).length < 2;
  const over = decided || page.status === 'closed';
  const told = moments.map(
    ({ ruling, why }) =>
      `<li><button class="line" data-to="${ruling}"><span class="no">${ruling}</span><span><span class="t">${lineWords(newest.get(ruling))}</span><span class="lab">${escapeHtml(why)}</span></span></button></li>`,
  );
  const weighed = told.length
    ? `<section class="weighed"><h3>${decided ? 'What decided it' : 'What weighed most'}</h3><ol>${told.join('')}</ol></section>`
    : '';
  const because = reason ? `<p class="then">${escapeHtml(reason)}</p>` : '';
  const after = before ? `<p class="lab before-it">It goes on from ${escapeHtml(before)}.</p>` : '';
  return `<p class="card-head lab"><span><b>${over ? 'The result' : 'So far'}</b></span><span>${countWords(newest.size, 'ruling')}</span></p><h2 class="said short">${escapeHtml(lead)}</h2>${because}${after}<div class="result-sides">${shown}</div>${weighed}`;
}

/** The maximum number of standing combatants listed with badges; of more, only the names are shown. */
const MANY = 6;

/** One side: who stands, then who fell and when, then who left. @param {string} side @param {Result} result @param {import('./types.js').ReplayPage} page */
function sideOf(side, { standing, fallen, left = [] }, { people }) {
  const name = (/** @type {string} */ id) => `<span class="nm">${escapeHtml(people[id]?.name ?? id)}</span>`;
  const up = standing[side] ?? [];
  const stand =
    up.length > MANY
      ? `<p>${up.map(name).join(', ')}</p>`
      : `<ul>${up.map((id) => `<li>${badge(people[id])}${name(id)}</li>`).join('')}</ul>`;
  const list = (/** @type {string} */ kind, /** @type {import('./types.js').Fall[]} */ falls) => {
    const rows = falls
      .filter(({ combatant }) => people[combatant]?.side === side)
      .map(
        (one) =>
          `<li>${kind === 'fell' ? mark('fall') : ''}${name(one.combatant)}<span class="lab">${fateWords(one, kind)}</span></li>`,
      );
    return rows.length ? `<ul class="${kind}">${rows.join('')}</ul>` : '';
  };
  const rest = list('fell', fallen) + list('left', left);
  return up.length || rest
    ? `<section><h3>${escapeHtml(side || 'No side')}</h3>${up.length ? stand : ''}${rest}</section>`
    : '';
}

/** The condition of somebody who does not stand, since when, and the link to the ruling. @param {import('./types.js').Fall} fall @param {string} kind */
function fateWords({ condition, ruling = 0, round = 0, already }, kind) {
  const left = kind === 'left';
  const when = already ? (left ? ' before round 1' : ' already') : `, round ${round}`;
  const told = `${left ? 'left' : (CONDITIONS[condition] ?? condition)}${when}`;
  return ruling ? `<button class="ref" data-to="${ruling}">${told}</button>` : told;
}
