/** The order of a round in which initiative is rolled: totals, ties and what broke them, actions left. */

import { badge } from './badges.js';
import { countWords, escapeHtml } from './text.js';

/** @typedef {import('./types.js').Place} Place */
/** @typedef {import('./types.js').ReplayPage} ReplayPage */

/** The words for a place in the order; none for somebody who only waits for their turn. @type {Record<string, string>} */
const STATUS = { acting: 'acts now', interrupted: 'is interrupted', next: 'next', done: 'has acted', down: 'down' };

/** The words for a place in the order. @param {Place | undefined} place */
export const statusWords = (place) =>
  place ? (place.waits ? 'waits' : place.reason || STATUS[place.status] || '') : '';

/** The actions that somebody declared: left, kept waiting, used. @param {Place} place */
export function actionsLeft({ declared, left, waits }) {
  if (!declared) return '<span class="lab">not yet declared</span>';
  const kinds = Array.from({ length: declared }, (_, at) => (at < declared - left ? '' : waits ? 'wait' : 'on'));
  const words = `${left} of ${declared} actions left`;
  const pips = kinds.map((kind) => `<i class="${kind}"></i>`).join('');
  return `<span class="pips" role="img" aria-label="${words}">${pips}</span><span class="lab">${words}</span>`;
}

/** True if the order has totals, so that it is shown as a ladder. @param {Place[] | undefined} order */
export const hasInitiative = (order) => Boolean(order?.some((place) => place.total !== null));

/** @param {Place[]} order @param {ReplayPage} page @param {string} chosen @param {Record<string, { words: string }[]>} doing */
export function initiativeOrder(order, page, chosen, doing) {
  /** @type {Place[][]} */
  const tied = [];
  for (const place of order) {
    const last = tied.at(-1);
    if (last && last[0]?.total === place.total) last.push(place);
    else tied.push([place]);
  }
  const rungs = tied.map((places) => {
    const drawn = places.map((place) => rung(place, page, chosen === place.combatant, doing[place.combatant] ?? []));
    if (drawn.length === 1) return `<li>${drawn[0]}</li>`;
    const breaker = places.find((place) => place.ahead_by);
    const why = breaker
      ? `tie at ${breaker.total}, broken by ${escapeHtml(breaker.ahead_by)}`
      : 'one roll for all of them';
    return `<li class="tied">${drawn[0]}<p class="tie">${why}</p>${drawn.slice(1).join('')}</li>`;
  });
  return `<ol class="initiative">${rungs.join('')}</ol><p class="lab key3"><span class="pips"><i class="on"></i></span>left<span class="pips"><i class="wait"></i></span>kept waiting<span class="pips"><i></i></span>used</p>`;
}

/** @param {Place} place @param {ReplayPage} page @param {boolean} chosen @param {{ words: string }[]} doing */
function rung(place, page, chosen, doing) {
  const { combatant, name, status, total, character_points: points, fate_points: fate } = place;
  const acts = status === 'acting';
  const kind = acts ? 'now' : status === 'done' && !place.waits ? 'done' : '';
  const held =
    points || fate
      ? `<span class="lab">${countWords(points, 'Character Point')}, ${countWords(fate, 'Fate Point')} left</span>`
      : '';
  const does = doing.length ? `<span class="doing">${escapeHtml(doing.map((one) => one.words).join(', '))}</span>` : '';
  return `<div class="rung ${kind}"${acts ? ' aria-current="step"' : ''}><span class="tot">${total ?? '–'}</span><button class="nm" aria-pressed="${chosen}" data-who="${combatant}">${badge(page.people[combatant])}${escapeHtml(name)}</button><span class="dice">${does}${held}</span><span class="st"><span class="lab ${acts || place.waits ? 'turn' : ''}">${escapeHtml(statusWords(place))}</span>${status === 'down' ? '' : actionsLeft(place)}</span></div>`;
}
