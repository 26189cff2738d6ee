/** The page that compares two fights: it unpacks them, shows its parts, and handles input and the address. */

import { Part } from './reader.js';
import { MamCompare, MamPairs, MamParted, MamTwo } from './compare.js';
import { applyStyles } from './inline_styles.js';
import { showDamaged, keepFocus, toggleTheme, setTheme } from './page_setup.js';
import { Pairs } from './pairs.js';
import { ACTIONS, MamPlayback, keysAndSigns } from './playback.js';
import { unpack } from './unpack.js';

class MamLive extends Part {
  show() {
    this.textContent = this.reader.playing ? '' : (this.reader.entry.lead ?? '');
  }
}

const PARTS = {
  'mam-compare': MamCompare,
  'mam-pairs': MamPairs,
  'mam-strip': MamTwo,
  'mam-timeline': MamParted,
  'mam-playback': MamPlayback,
  'mam-live': MamLive,
};
/** The keys that work differently than in a replay; "" for no effect. */
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
  setTheme(asked.get('theme'));
  pairs.called(asked.get('at') ?? '');
}

/** @param {Pairs} pairs @param {MouseEvent} event */
function pressed(pairs, event) {
  const on = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest('[data-do]'));
  const name = on?.dataset.do ?? '';
  if (name === 'theme') [toggleTheme(), write(pairs)];
  else if (Object.hasOwn(ACTIONS, name)) ACTIONS[name]?.(pairs);
  else if (name) /** @type {MamPlayback} */ (document.querySelector('mam-playback')).deed(name);
}

async function opened() {
  const packed = document.getElementById('pair')?.textContent ?? '';
  const pairs = await unpack(packed)
    .then((found) => new Pairs(found))
    .catch(showDamaged);
  if (!pairs) return;
  const page = /** @type {HTMLElement & { reader?: Pairs }} */ (document.querySelector('mam-book'));
  page.reader = pairs;
  arrive(pairs);
  /** @type {HTMLElement} */ (document.querySelector('dialog')).innerHTML = keysAndSigns(pairs.page.counters, KEYS);
  keepFocus(pairs);
  for (const [name, part] of Object.entries(PARTS)) customElements.define(name, part);
  page.classList.add('alive');
  pairs.addEventListener('moment', () => write(pairs));
  addEventListener('hashchange', () => arrive(pairs));
  document.addEventListener('click', (event) => pressed(pairs, event));
}

applyStyles();
await opened();
