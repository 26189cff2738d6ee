/** The order of a round in which initiative is rolled: totals, ties and what broke them, actions left. */

import { badge } from './badges.js';
import { countWords, escapeHtml } from './text.js';

/** @typedef {import('./types.js').OrderRow} OrderRow */
/** @typedef {import('./types.js').ReplayPage} ReplayPage */

/** The words for a place in the order; none for somebody who only waits for their turn. @type {Record<string, string>} */
const STATUS = { acting: 'acts now', interrupted: 'is interrupted', next: 'next', done: 'has acted', down: 'down' };

/** The words for a place in the order. @param {OrderRow | undefined} place */
export const statusWords = (place) =>
  place ? (place.waits ? 'waits' : place.reason || STATUS[place.status] || '') : '';

/** The actions that somebody declared: left, kept waiting, used. @param {OrderRow} place */
export function actionsLeft({ declared, left, waits }) {
  if (!declared) return '<span class="label">not yet declared</span>';
  const kinds = Array.from({ length: declared }, (_, at) => (at < declared - left ? '' : waits ? 'wait' : 'on'));
  const words = `${left} of ${declared} actions left`;
  const pips = kinds.map((kind) => `<i class="${kind}"></i>`).join('');
  return `<span class="pips" role="img" aria-label="${words}">${pips}</span><span class="label">${words}</span>`;
}

/** True if the order has totals, so that it is shown as a ladder. @param {OrderRow[] | undefined} order */
export const hasInitiative = (order) => Boolean(order?.some((place) => place.total !== null));

/** @param {OrderRow[]} order @param {ReplayPage} page @param {string} chosenId @param {Record<string, { words: string }[]>} doing */
export function initiativeOrder(order, page, chosenId, doing) {
  /** @type {OrderRow[][]} */
  const groups = [];
  for (const place of order) {
    const last = groups.at(-1);
    if (last && last[0]?.total === place.total) last.push(place);
    else groups.push([place]);
  }
  const items = groups.map((places) => {
    const rungs = places.map((place) => rung(place, page, chosenId === place.combatant, doing[place.combatant] ?? []));
    if (rungs.length === 1) return `<li>${rungs[0]}</li>`;
    const breaker = places.find((place) => place.ahead_by);
    const why = breaker
      ? `tie at ${breaker.total}, broken by ${escapeHtml(breaker.ahead_by)}`
      : 'one roll for all of them';
    return `<li class="tied">${rungs[0]}<p class="tie">${why}</p>${rungs.slice(1).join('')}</li>`;
  });
  return `<ol class="initiative">${items.join('')}</ol><p class="label key3"><span class="pips"><i class="on"></i></span>left<span class="pips"><i class="wait"></i></span>kept waiting<span class="pips"><i></i></span>used</p>`;
}

/** @param {OrderRow} place @param {ReplayPage} page @param {boolean} isChosen @param {{ words: string }[]} doing */
function rung(place, page, isChosen, doing) {
  const { combatant, name, status, total, character_points: points, fate_points: fate } = place;
  const isActing = status === 'acting';
  const kind = isActing ? 'now' : status === 'done' && !place.waits ? 'done' : '';
  const pointsHtml =
    points || fate
      ? `<span class="label">${countWords(points, 'Character Point')}, ${countWords(fate, 'Fate Point')} left</span>`
      : '';
  const doingHtml = doing.length
    ? `<span class="doing">${escapeHtml(doing.map((activity) => activity.words).join(', '))}</span>`
    : '';
  return `<div class="rung ${kind}"${isActing ? ' aria-current="step"' : ''}><span class="total">${total ?? '–'}</span><button class="person-name" aria-pressed="${isChosen}" data-who="${combatant}">${badge(page.people[combatant])}${escapeHtml(name)}</button><span class="dice">${doingHtml}${pointsHtml}</span><span class="st"><span class="label ${isActing || place.waits ? 'turn' : ''}">${escapeHtml(statusWords(place))}</span>${status === 'down' ? '' : actionsLeft(place)}</span></div>`;
}
