/** Points as counters: each pool has a letter and a hatching, never only a colour. */

import { attribute } from './text.js';

/** @typedef {import('./types.js').Pools} Pools */
/** @typedef {import('./types.js').Counters} Counters */
/** @typedef {{ key: string, letter: string, name: string, of: string[] }} Pool */

/** The letter of each pool. @type {Record<string, string>} */
const LETTERS = { ready: 'R', left: 'R', defense: 'D', other_used: 'O', stun: 'S', damage: 'X' };
/** Up to this number, points are drawn one by one; beyond it, each pool is a cell with a number. */
const ONE_BY_ONE = 12;

/** One point. @param {string} letter @param {string} [more] */
export const point = (letter, more = '') => `<i class="point ${letter} ${more}"><span>${letter}</span></i>`;

/** The pools that are shown separately, in the order of the bar. @param {Counters} counters @returns {Pool[]} */
export const poolsOf = (counters) =>
  Object.entries(counters).map(([key, of]) => ({ key, of, letter: LETTERS[key] ?? '', name: key.replace('_', ' ') }));

/** The number of points in a pool. @param {Pools | undefined} points @param {Pool} pool */
export const inPool = (points, pool) => pool.of.reduce((sum, key) => sum + (points?.[key] ?? 0), 0);

/**
 * Somebody's points as a stacked bar.
 *
 * @param {Pools} points @param {Pools | undefined} before @param {Counters} counters @param {string} name
 */
export function bar(points, before, counters, name) {
  const pools = poolsOf(counters);
  const counts = pools.map((pool) => inPool(points, pool));
  const changes = pools.map((pool, at) => (before ? (counts[at] ?? 0) - inPool(before, pool) : 0));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const cells = pools.map(({ letter }, at) => {
    const count = counts[at] ?? 0;
    const change = changes[at] ?? 0;
    if (total > ONE_BY_ONE) {
      const words = `<span>${letter} ${count}</span>`;
      return count
        ? `<i class="point ${letter} ${change > 0 ? 'new' : ''}" data-style="flex:${count}">${words}</i>`
        : '';
    }
    return Array.from({ length: count }, (_, n) => point(letter, change > 0 && n >= count - change ? 'new' : '')).join(
      '',
    );
  });
  return `<div class="bar" role="img" aria-label="${attribute(`${name}: ${pointWords(points, counters)}`)}">${cells.join('')}</div>`;
}

/** Points in words. @param {Pools} points @param {Counters} counters */
export const pointWords = (points, counters) =>
  poolsOf(counters)
    .map((pool) => `${inPool(points, pool)} ${pool.name}`)
    .join(', ');
