/** The result, with which the page opens: who won, stands, fell or left, and the decisive moments. */

import { badge } from './badges.js';
import { mark } from './marks.js';
import { countWords, escapeHtml, lineWords } from './text.js';

/** @typedef {import('./reader.js').Reader} Reader */
/** @typedef {import('./types.js').FightResult} FightResult */

/** The words for a condition other than able. @type {Record<string, string>} */
const CONDITIONS = { incapacitated: 'down', dead: 'dead', out: 'out of the fight' };

/** The card of the result. @param {Reader} reader @param {FightResult} result */
export function resultCard({ page, newest }, result) {
  const { lead, reason, standing, moments, before } = result;
  const sides = [...new Set(Object.values(page.people).map((person) => person.side))];
  const sidesHtml = sides.map((side) => sideOf(side, result, page)).join('');
  const isDecided = Object.keys(standing).length < 2;
  const isOver = isDecided || page.status === 'closed';
  const momentItems = moments.map(
    ({ ruling, why }) =>
      `<li><button class="line" data-to="${ruling}"><span class="number">${ruling}</span><span><span class="sentence">${lineWords(newest.get(ruling))}</span><span class="label">${escapeHtml(why)}</span></span></button></li>`,
  );
  const decisiveHtml = momentItems.length
    ? `<section class="moments"><h3>${isDecided ? 'What decided it' : 'What weighed most'}</h3><ol>${momentItems.join('')}</ol></section>`
    : '';
  const reasonHtml = reason ? `<p class="consequences">${escapeHtml(reason)}</p>` : '';
  const originHtml = before ? `<p class="label before-it">It goes on from ${escapeHtml(before)}.</p>` : '';
  return `<p class="card-head label"><span><b>${isOver ? 'The result' : 'So far'}</b></span><span>${countWords(newest.size, 'ruling')}</span></p><h2 class="headline short">${escapeHtml(lead)}</h2>${reasonHtml}${originHtml}<div class="result-sides">${sidesHtml}</div>${decisiveHtml}`;
}

/** The maximum number of standing combatants listed with badges; of more, only the names are shown. */
const MAX_BADGES = 6;

/** One side: who stands, then who fell and when, then who left. @param {string} side @param {FightResult} result @param {import('./types.js').ReplayPage} page */
function sideOf(side, { standing, fallen, left = [] }, { people }) {
  const name = (/** @type {string} */ id) => `<span class="person-name">${escapeHtml(people[id]?.name ?? id)}</span>`;
  const standingIds = standing[side] ?? [];
  const standingHtml =
    standingIds.length > MAX_BADGES
      ? `<p>${standingIds.map(name).join(', ')}</p>`
      : `<ul>${standingIds.map((id) => `<li>${badge(people[id])}${name(id)}</li>`).join('')}</ul>`;
  const list = (/** @type {string} */ kind, /** @type {import('./types.js').ResultFall[]} */ falls) => {
    const rows = falls
      .filter(({ combatant }) => people[combatant]?.side === side)
      .map(
        (fall) =>
          `<li>${kind === 'falls' ? mark('fall') : ''}${name(fall.combatant)}<span class="label">${fateWords(fall, kind)}</span></li>`,
      );
    return rows.length ? `<ul class="${kind}">${rows.join('')}</ul>` : '';
  };
  const othersHtml = list('falls', fallen) + list('departures', left);
  return standingIds.length || othersHtml
    ? `<section><h3>${escapeHtml(side || 'No side')}</h3>${standingIds.length ? standingHtml : ''}${othersHtml}</section>`
    : '';
}

/** The condition of somebody who does not stand, since when, and the link to the ruling. @param {import('./types.js').ResultFall} fall @param {string} kind */
function fateWords({ condition, ruling = 0, round = 0, already }, kind) {
  const left = kind === 'departures';
  const when = already ? (left ? ' before round 1' : ' already') : `, round ${round}`;
  const words = `${left ? 'left' : (CONDITIONS[condition] ?? condition)}${when}`;
  return ruling ? `<button class="ref" data-to="${ruling}">${words}</button>` : words;
}
