/** The page of two fights: they are unpacked and held together, hands and the address are heard. */

import { Part } from './book.js';
import { MamCompare, MamPairs, MamParted, MamTwo } from './compare.js';
import { dressing } from './dress.js';
import { damaged, heldFocus, themed, wear } from './hands.js';
import { Pairs } from './pairs.js';
import { DEEDS, MamTransport, keysAndSigns } from './transport.js';
import { unpacked } from './unpack.js';

class MamLive extends Part {
  show() {
    this.textContent = this.reader.playing ? '' : (this.reader.leaf.lead ?? '');
  }
}

const PARTS = {
  'mam-compare': MamCompare,
  'mam-pairs': MamPairs,
  'mam-strip': MamTwo,
  'mam-ruler': MamParted,
  'mam-transport': MamTransport,
  'mam-live': MamLive,
};
/** What some keys do here, where it is other than in a replay; "" for nothing. */
const KEYS = { e: '', '/': '', 'd c': 'next dispute, next that differs', x: 'where they begin to differ' };

/** @param {Pairs} pairs */
function write(pairs) {
  const theme = document.documentElement.dataset.theme;
  const place = { at: Pairs.nameOf(pairs.row), ...(theme ? { theme } : {}) };
  history.replaceState(null, '', `#${new URLSearchParams(place)}`);
}

/** @param {Pairs} pairs */
function arrive(pairs) {
  const asked = new URLSearchParams(location.hash.slice(1));
  wear(asked.get('theme'));
  pairs.called(asked.get('at') ?? '');
}

/** @param {Pairs} pairs @param {MouseEvent} event */
function pressed(pairs, event) {
  const on = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest('[data-do]'));
  const name = on?.dataset.do ?? '';
  if (name === 'theme') [themed(), write(pairs)];
  else if (Object.hasOwn(DEEDS, name)) DEEDS[name]?.(pairs);
  else if (name) /** @type {MamTransport} */ (document.querySelector('mam-transport')).deed(name);
}

async function opened() {
  const packed = document.getElementById('pair')?.textContent ?? '';
  const pairs = await unpacked(packed)
    .then((found) => new Pairs(found))
    .catch(damaged);
  if (!pairs) return;
  const page = /** @type {HTMLElement & { reader?: Pairs }} */ (document.querySelector('mam-book'));
  page.reader = pairs;
  arrive(pairs);
  /** @type {HTMLElement} */ (document.querySelector('dialog')).innerHTML = keysAndSigns(pairs.book.counters, KEYS);
  heldFocus(pairs);
  for (const [name, part] of Object.entries(PARTS)) customElements.define(name, part);
  page.classList.add('alive');
  pairs.addEventListener('moment', () => write(pairs));
  addEventListener('hashchange', () => arrive(pairs));
  document.addEventListener('click', (event) => pressed(pairs, event));
}

dressing();
await opened();
