/** The page that compares two fights: it unpacks them, shows its parts, and handles input and the address. */

import { Part } from './reader.js';
import { MamCompare, MamPairs, MamPartingTimeline, MamRowStrip } from './compare.js';
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
  'mam-strip': MamRowStrip,
  'mam-timeline': MamPartingTimeline,
  'mam-playback': MamPlayback,
  'mam-live': MamLive,
};
/** The keys that work differently than in a replay; "" for no effect. */
const KEYS = { e: '', '/': '', 'd c': 'next dispute, next that differs', x: 'where they begin to differ' };

/** @param {Pairs} pairs */
function writeAddress(pairs) {
  const theme = document.documentElement.dataset.theme;
  const place = { at: Pairs.nameOf(pairs.row), ...(theme ? { theme } : {}) };
  history.replaceState(null, '', `#${new URLSearchParams(place)}`);
}

/** @param {Pairs} pairs */
function readAddress(pairs) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  setTheme(parameters.get('theme'));
  pairs.goToRow(parameters.get('at') ?? '');
}

/** @param {Pairs} pairs @param {MouseEvent} event */
function handleClick(pairs, event) {
  const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest('[data-do]'));
  const name = button?.dataset.do ?? '';
  if (name === 'theme') [toggleTheme(), writeAddress(pairs)];
  else if (Object.hasOwn(ACTIONS, name)) ACTIONS[name]?.(pairs);
  else if (name) /** @type {MamPlayback} */ (document.querySelector('mam-playback')).perform(name);
}

async function openPage() {
  const data = document.getElementById('pair')?.textContent ?? '';
  const pairs = await unpack(data)
    .then((comparison) => new Pairs(comparison))
    .catch(showDamaged);
  if (!pairs) return;
  const page = /** @type {HTMLElement & { reader?: Pairs }} */ (document.querySelector('mam-book'));
  page.reader = pairs;
  readAddress(pairs);
  /** @type {HTMLElement} */ (document.querySelector('dialog')).innerHTML = keysAndSigns(pairs.page.counters, KEYS);
  keepFocus(pairs);
  for (const [name, part] of Object.entries(PARTS)) customElements.define(name, part);
  page.classList.add('alive');
  pairs.addEventListener('moment', () => writeAddress(pairs));
  addEventListener('hashchange', () => readAddress(pairs));
  document.addEventListener('click', (event) => handleClick(pairs, event));
}

applyStyles();
await openPage();
