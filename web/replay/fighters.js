/** All combatants at this moment: whose turn it is, their points, and a curve of the points over the fight. */

import { Part } from './reader.js';
import { badge } from './badges.js';
import { actionsLeft, hasInitiative, initiativeOrder, statusWords } from './initiative_order.js';
import { isGhosted } from './marks.js';
import { bar, inPool, point, poolsOf } from './points.js';
import { attribute, escapeHtml, withSign } from './text.js';

/** @typedef {import('./types.js').Counters} Counters */
/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {import('./types.js').Pools} Pools */
/** @typedef {import('./types.js').OrderRow} OrderRow */

/** Up to this number, the cards keep their places, whomever a moment is about. */
const MAX_FIXED_CARDS = 2;
const WIDTH = 420;
const HEIGHT = 66;
/** The maximum number of columns of a curve; in a longer fight each shows the last of several rulings. */
const COLUMNS = 240;

export class MamFighters extends Part {
  show() {
    const { entry, frame, page, chosenId, atResult } = this.reader;
    const after = frame.after ?? {};
    this.className = hasInitiative(entry.order) && !this.#hasHitPoints() ? 'fighters rounds' : 'fighters';
    if (this.className.endsWith('rounds')) {
      this.innerHTML = initiativeOrder(entry.order ?? [], page, chosenId, frame.doing ?? {});
      return;
    }
    const places = new Map((entry.order ?? []).map((place) => [place.combatant, place]));
    const order = [...new Set([...places.keys(), ...Object.keys(after)])].filter((id) => after[id]);
    // Only the first cards are visible without scrolling: begin with those whom the moment or the result names.
    const first = atResult ? Object.keys(page.people) : order.length > MAX_FIXED_CARDS ? (entry.concerned ?? []) : [];
    const sorted = [...new Set([...first, ...order])].filter((id) => after[id]);
    this.innerHTML = sorted.map((id) => this.#card(id, places.get(id), chosenId === id, page.counters)).join('');
  }

  /** True if anybody has hit points, which the cards show. */
  #hasHitPoints() {
    return Object.values(this.reader.page.people).some((person) => person.hp);
  }

  /** @param {string} id @param {OrderRow | undefined} place @param {boolean} isChosen @param {Counters} counters */
  #card(id, place, isChosen, counters) {
    const { frame, page } = this.reader;
    const person = page.people[id];
    const name = person?.name ?? id;
    const points = /** @type {Pools} */ (frame.after?.[id]);
    const before = frame.before?.[id];
    const status = statusWords(place);
    const doing = frame.doing?.[id]?.map((activity) => activity.words).join(', ') ?? '';
    const statusClass = place?.status === 'acting' ? 'turn' : '';
    const facts = [person?.side, person?.hp ? `${person.hp} hp` : ''].filter(Boolean).join(' · ');
    const pointsHtml = person?.hp ? this.#points(id, name, points, before, counters) : '';
    const actionsHtml = place?.declared ? `<p class="acts-left">${actionsLeft(place)}</p>` : '';
    return `<section class="fighter"${isChosen ? ' data-chosen' : ''} aria-label="${attribute(name)}">
<button class="name" aria-pressed="${isChosen}" data-who="${id}">${badge(person)}<h3>${escapeHtml(name)}</h3><span class="label"><span class="${statusClass}">${escapeHtml(status)}</span><br>${escapeHtml(facts)}</span></button>
${pointsHtml}${actionsHtml}${doing ? `<p class="doing">${escapeHtml(doing)}</p>` : ''}</section>`;
  }

  /** @param {string} id @param {string} name @param {Pools} points @param {Pools | undefined} before @param {Counters} counters */
  #points(id, name, points, before, counters) {
    const changes = this.reader.frame.changed?.[id];
    const beforeHtml =
      changes && before ? `<span class="label">was</span>${bar(before, undefined, counters, `${name} before`)}` : '';
    const counterButtons = poolsOf(counters).map((pool) => {
      const count = inPool(points, pool);
      const change = changes ? inPool(changes, pool) : 0;
      const delta = change ? `<span class="d">${withSign(change)}</span>` : '';
      return `<button class="${count ? '' : 'zero'}" data-explanation="pool" data-who="${id}" data-pool="${pool.key}"><span class="visually-hidden">${escapeHtml(name)}: </span><span class="count">${count}</span>${delta}<span class="kp" aria-hidden="true">${point(pool.letter)}</span><span class="label">${pool.name}</span></button>`;
    });
    return `<div>${bar(points, before, counters, name)}<div class="points-before">${beforeHtml}</div></div><div class="counters" data-style="--pools:${counterButtons.length}">${counterButtons.join('')}</div>${curve(this.reader, id, counters)}`;
  }
}

/**
 * The bar over the whole fight; struck columns are hatched.
 *
 * @param {import('./reader.js').Reader} reader @param {string} id @param {Counters} counters
 */
function curve(reader, id, counters) {
  const { paths, columns } = curvePaths(reader, id, counters);
  const width = WIDTH / columns;
  const x = Math.floor((reader.at * columns) / reader.entries.length) * width;
  const marker = `<rect x="${x}" y="-1" width="${Math.max(width, 3)}" height="${HEIGHT + 1}" fill="none" class="here"/><path d="M${x + width / 2} ${HEIGHT + 1.5}l5 6h-10z" class="at"/>`;
  const name = attribute(reader.page.people[id]?.name ?? id);
  return `<svg class="curve" data-curve viewBox="0 -1 ${WIDTH} ${HEIGHT + 9}" role="img" aria-label="${name} over the fight">${paths}${marker}</svg>`;
}

/** The curves already drawn, by reading. @type {WeakMap<ReplayEntry[], Map<string, { paths: string, columns: number }>>} */
const CURVES = new WeakMap();

/** @param {import('./reader.js').Reader} reader @param {string} id @param {Counters} counters */
function curvePaths({ entries, page }, id, counters) {
  const curves = CURVES.get(entries) ?? new Map();
  CURVES.set(entries, curves);
  if (curves.has(id)) return curves.get(id);
  const columns = Math.min(entries.length, COLUMNS);
  const width = WIDTH / columns;
  const hp = page.people[id]?.hp || 1;
  const pools = poolsOf(counters);
  const areas = pools.map(() => '');
  let [ghosts, rounds, lines] = ['', '', ''];
  for (let column = 0; column < columns; column++) {
    const [first, end] = [column, column + 1].map((at) => Math.floor((at * entries.length) / columns));
    const frames = entries.slice(first, end).map((entry) => entry.frame);
    const points = frames.at(-1)?.after?.[id];
    const x = (column * width).toFixed(1);
    if (frames.some((frame) => frame.ticks?.includes('round'))) rounds += `M${x} ${HEIGHT}v6`;
    if (!points) continue;
    let y = HEIGHT;
    for (let at = pools.length - 1; at >= 0; at--) {
      const height = (inPool(points, /** @type {import('./points.js').Pool} */ (pools[at])) * HEIGHT) / hp;
      if (!height) continue;
      y -= height;
      areas[at] += `M${x} ${y.toFixed(1)}h${(width + 0.3).toFixed(1)}v${height.toFixed(1)}H${x}z`;
      if (at) lines += `M${x} ${y.toFixed(1)}h${width.toFixed(1)}`;
    }
    if (frames.every(isGhosted)) ghosts += `M${x} 0h${width.toFixed(1)}v${HEIGHT}H${x}z`;
  }
  const areaPaths = areas.map((path, at) => (path ? `<path d="${path}" fill="url(#pool-${pools[at]?.letter})"/>` : ''));
  const ghostPaths = ghosts
    ? `<path d="${ghosts}" class="veil"/><path d="${ghosts}" fill="url(#hatch-ghost)" opacity=".8"/>`
    : '';
  const paths = `<path d="${rounds}" class="round"/>${areaPaths.join('')}${ghostPaths}<path d="${lines}" class="line-between"/><path d="M0 ${HEIGHT}H${WIDTH}" class="ground"/>`;
  curves.set(id, { paths, columns });
  return { paths, columns };
}

/** The bars of two combatants whom the moment is about, for windows in which the cards are below the fold. */
export class MamStrip extends Part {
  show() {
    const { frame, entry, page } = this.reader;
    // The result is about everybody, not only two.
    if (this.reader.atResult && this.reader.result) {
      this.innerHTML = '';
      return;
    }
    const all = new Set([...(entry.concerned ?? []), ...Object.keys(frame.after ?? {})]);
    const ids = [...all].filter((id) => frame.after?.[id] && page.people[id]?.hp).slice(0, 2);
    this.innerHTML = ids
      .map((id) => {
        const [name, isActing] = [page.people[id]?.name ?? id, frame.acting === id];
        const points = /** @type {Pools} */ (frame.after?.[id]);
        const words = `<span class="${isActing ? 'now' : ''}">${isActing ? '▸' : ''}${escapeHtml(name)}</span>`;
        return `<div>${words}${bar(points, frame.before?.[id], page.counters, name)}</div>`;
      })
      .join('');
  }
}
