/** Playback: play and pause, speeds, one ruling or turn forward or back; the keys for all of it. */

import { Part, READINGS } from './reader.js';
import { SIGNS, outcomeSign, statusSign, mark } from './marks.js';
import { point, poolsOf } from './points.js';
import { escapeHtml } from './text.js';

/** @typedef {import('./reader.js').Reading} Reading */
/** @typedef {import('./reader.js').Reader} Reader */

/** The milliseconds between two rulings at speed 1. */
const PACE = 1400;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
/** The maximum milliseconds between two rulings at the pace of the evening. */
const LONGEST_GAP = 8000;
/** @type {Record<string, string>} */
const SPEED_NAMES = { 0.25: '¼ ×', 0.5: '½ ×', 0: 'as it happened' };

/** Shapes of the buttons. @type {Record<string, string>} */
const SHAPES = {
  first: 'M5 5h2v14H5zM19 5v14L8 12z',
  turnBack: 'M12 5v14L2 12zM22 5v14l-10-7z',
  back: 'M17 5v14L6 12z',
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  next: 'M7 5v14l11-7z',
  turn: 'M12 5v14l10-7zM2 5v14l10-7z',
  last: 'M17 5h2v14h-2zM5 5v14l11-7z',
};
const shape = (/** @type {string} */ name) =>
  `<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="${SHAPES[name]}"/></svg>`;

/** The actions of buttons and keys, by name. @type {Record<string, (reader: Reader) => unknown>} */
export const ACTIONS = {
  first: (reader) => reader.go(0),
  last: (reader) => reader.go(reader.entries.length - 1),
  next: (reader) => reader.step(1),
  back: (reader) => reader.step(-1),
  turn: (reader) => reader.turn(1),
  turnBack: (reader) => reader.turn(-1),
  round: (reader) => reader.round(1),
  roundBack: (reader) => reader.round(-1),
  hit: (reader) => reader.seek((entry) => Boolean(entry.frame.ticks?.includes('hit'))),
  fall: (reader) => reader.seek((entry) => outcomeSign(entry.frame) === 'fall'),
  dispute: (reader) => reader.seek((entry) => entry.frame.do === 'dispute' || Boolean(entry.frame.disputed_by?.length)),
  correction: (reader) =>
    reader.seek((entry) => ['correction', 'struck', 'void', 'changed'].includes(statusSign(entry.frame))),
  decided: (reader) => reader.page.decider && reader.goToRuling(reader.page.decider),
  reading: (reader) => {
    const all = /** @type {Reading[]} */ (Object.keys(READINGS));
    reader.read(/** @type {Reading} */ (all[(all.indexOf(reader.reading) + 1) % all.length]));
  },
};

/** The action of each key. @type {Record<string, string>} */
const KEYS = {
  ' ': 'play',
  k: 'play',
  ArrowRight: 'next',
  ArrowLeft: 'back',
  '.': 'next',
  ',': 'back',
  l: 'turn',
  j: 'turnBack',
  'Shift+ArrowRight': 'turn',
  'Shift+ArrowLeft': 'turnBack',
  ']': 'round',
  '[': 'roundBack',
  Home: 'first',
  End: 'last',
  h: 'hit',
  f: 'fall',
  d: 'dispute',
  c: 'correction',
  e: 'reading',
  x: 'decided',
  '>': 'faster',
  '+': 'faster',
  '<': 'slower',
  '-': 'slower',
  '?': 'keys',
  '/': 'search',
  v: 'view',
};
/** The keys as the dialog lists them. */
const KEY_HELP = [
  ['Space k', 'play, pause'],
  ['← →  , .', 'one ruling'],
  ['j l  Shift ← →', 'one turn'],
  ['[ ]', 'one round'],
  ['Home End', 'first, last'],
  ['1 7 Enter', 'go to ruling 17'],
  ['h f', 'next hit, next fall'],
  ['d c', 'next dispute, next correction'],
  ['x', 'the ruling that decided it'],
  ['e', 'as it stands, as played, both'],
  ['< >', 'slower, faster'],
  ['/', 'search'],
  ['v', 'whose view this is'],
  ['?', 'these keys'],
];

export class MamPlayback extends Part {
  #speed = 1;
  #digits = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  open() {
    const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ more = '') =>
      `<button class="icon ${more}" data-do="${name}" aria-label="${label}">${shape(name)}</button>`;
    this.innerHTML = `<div class="group">${button('first', 'First ruling', 'optional')}${button('turnBack', 'Previous turn')}${button('back', 'Previous ruling')}${button('play', 'Play', 'play')}${button('next', 'Next ruling')}${button('turn', 'Next turn')}${button('last', 'Last ruling', 'optional')}</div><button class="speed" data-do="speed"><span class="visually-hidden">Speed </span><span class="x"></span></button>`;
    this.#speed = SPEEDS.includes(storedSpeed()) || storedSpeed() === 0 ? storedSpeed() : 1;
    addEventListener('keydown', (event) => this.#handleKey(event));
    this.#showSpeed();
  }

  /** Do the action of a button or a key. @param {string} name */
  perform(name) {
    if (name === 'play') return this.#play(!this.reader.playing);
    if (name === 'faster' || name === 'slower') return this.#faster(name === 'faster' ? 1 : -1);
    if (name === 'speed') return this.#faster(this.#speed === SPEEDS.at(-1) ? -SPEEDS.length : 1);
    if (name === 'keys') return /** @type {HTMLDialogElement} */ (document.querySelector('dialog')).showModal();
    if (name === 'view')
      return /** @type {HTMLElement | null} */ (document.querySelector('[data-explanation=view]'))?.click();
    if (name === 'search')
      return /** @type {HTMLElement | null} */ (document.querySelector('mam-search input'))?.focus();
    return ACTIONS[name]?.(this.reader);
  }

  /** @param {boolean} on */
  #play(on) {
    const { reader } = this;
    reader.playing = on;
    clearTimeout(this.#timer);
    const play = /** @type {HTMLElement} */ (this.querySelector('.play'));
    play.innerHTML = shape(on ? 'pause' : 'play');
    play.setAttribute('aria-label', on ? 'Pause' : 'Play');
    if (on && (reader.atResult || reader.at === reader.entries.length - 1)) reader.go(0);
    if (on) this.#scheduleStep();
  }

  #scheduleStep() {
    const { reader } = this;
    const [now, next] = [reader.frame.at, reader.entries[reader.at + 1]?.frame.at];
    const gap = now && next ? Date.parse(next) - Date.parse(now) : PACE;
    const pause = this.#speed ? PACE / this.#speed : Math.max(200, Math.min(gap, LONGEST_GAP));
    this.#timer = setTimeout(() => {
      const isLast = reader.at >= reader.entries.length - 1;
      reader.step(1);
      return isLast ? this.#play(false) : this.#scheduleStep();
    }, pause);
  }

  /** @param {number} step */
  #faster(step) {
    const all = [0, ...SPEEDS];
    this.#speed = all[Math.max(0, Math.min(all.length - 1, all.indexOf(this.#speed) + step))] ?? 1;
    storeSpeed(this.#speed);
    this.#showSpeed();
    if (this.reader.playing) this.#play(true);
  }

  #showSpeed() {
    const text = SPEED_NAMES[this.#speed] ?? `${this.#speed} ×`;
    /** @type {HTMLElement} */ (this.querySelector('.x')).textContent = text;
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches('input:not([type=radio]):not([type=range]), textarea, select');
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping || document.querySelector('dialog[open]')) return;
    if (/^\d$/.test(event.key)) {
      this.#digits += event.key;
      return;
    }
    const digits = this.#digits;
    this.#digits = '';
    if (event.key === 'Enter' && digits) {
      event.preventDefault();
      this.reader.goToRuling(Number(digits));
      return;
    }
    const movesInput =
      target.matches('input[type=radio], input[type=range]') && event.key.startsWith('Arrow') && !event.shiftKey;
    const name = KEYS[`${event.shiftKey && event.key.startsWith('Arrow') ? 'Shift+' : ''}${event.key}`];
    if (
      !name ||
      (event.key === ' ' && target.matches('button, a, input')) ||
      (movesInput && target.matches('[type=radio]'))
    )
      return;
    event.preventDefault();
    this.perform(name);
  }
}

/**
 * The dialog of keys and signs.
 *
 * @param {import('./types.js').Counters} counters
 * @param {Record<string, string>} [other] what some keys do on this page instead; "" for nothing
 */
export const keysAndSigns = (counters, other = {}) => {
  const keys = KEY_HELP.map(([combination = '', usual = '']) => {
    const meaning = other[combination] ?? usual;
    const names = combination.split(/ +/).map((key) => `<kbd>${escapeHtml(key)}</kbd>`);
    return meaning ? `<dt>${names.join(' ')}</dt><dd>${meaning}</dd>` : '';
  });
  const signs = Object.entries(SIGNS).map(([sign, words]) => `<li>${mark(sign, 'sg')}${words}</li>`);
  const pools = poolsOf(counters).map((pool) => `<li>${point(pool.letter)}${pool.name}</li>`);
  return `<h2 id="keys-head">Keys and signs</h2><dl>${keys.join('')}</dl><ul class="signs">${signs.join('')}<li><i class="seam"></i>something was undone here</li>${pools.join('')}</ul><form method="dialog"><button class="icon close">Close</button></form>`;
};

const SPEED = 'mam-speed';
/** The speed last chosen, if the browser stores anything for a page from disk. */
function storedSpeed() {
  try {
    return Number(localStorage.getItem(SPEED) ?? 1);
  } catch {
    return 1;
  }
}
/** @param {number} speed */
function storeSpeed(speed) {
  try {
    localStorage.setItem(SPEED, String(speed));
  } catch {
    // Without storage the next page starts at 1 ×.
  }
}
