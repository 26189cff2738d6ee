/** The replay page: it unpacks the fight, shows its parts, and handles input and the address. */

import { READINGS, Part, Reader } from './reader.js';
import { applyStyles } from './inline_styles.js';
import { MamFighters, MamStrip } from './fighters.js';
import { MamExplanation } from './explanation.js';
import { showDamaged, keepFocus, toggleTheme, setTheme } from './page_setup.js';
import { MamLog } from './log.js';
import { MamNewRulings } from './new_rulings.js';
import { MamCard, setInitials } from './card.js';
import { MamTimeline } from './timeline.js';
import { MamSeal } from './seal.js';
import { MamSearch } from './search.js';
import { MamShare, link } from './share.js';
import { ACTIONS, MamPlayback, keysAndSigns } from './playback.js';
import { MamFigures } from './statistics.js';
import { unpack } from './unpack.js';
import { countWords, escapeHtml } from './text.js';

/** @typedef {import('./reader.js').Reading} Reading */

class MamReadings extends Part {
  open() {
    const labels = Object.entries(READINGS).map(
      ([reading, name]) => `<label><input type="radio" name="reading" value="${reading}">${name}</label>`,
    );
    this.innerHTML = `<fieldset class="readings"><legend class="visually-hidden">How corrections are read</legend>${labels.join('')}</fieldset>`;
    this.addEventListener('change', (event) => {
      this.reader.read(/** @type {Reading} */ (/** @type {HTMLInputElement} */ (event.target).value));
    });
  }

  reread() {
    const radio = this.querySelector(`[value=${this.reader.reading}]`);
    /** @type {HTMLInputElement} */ (radio).checked = true;
  }
}

class MamCatchword extends Part {
  show() {
    const { at, entries, reading, atResult, result, page } = this.reader;
    const next = entries[at + 1];
    const ending = result && !atResult ? 'the result' : 'the end';
    const readingWords = { both: ', undone ones too', played: ', as it was played', stands: ', as it stands now' }[
      reading
    ];
    const catchword = (next?.lead ?? ending)
      .split(' ')
      .slice(0, 4)
      .join(' ')
      .replace(/[.,:]$/, '');
    const countSentence = reading === 'stands' && countingSentence(page);
    const position = atResult ? countWords(entries.length, 'ruling') : `${at + 1} of ${entries.length}`;
    const caption = atResult && countSentence ? countSentence : `${position}${readingWords}`;
    this.innerHTML = `<span class="label"${countSentence ? ` title="${countSentence}"` : ''}>${caption}</span><button data-do="next"${next || ending === 'the result' ? '' : ' disabled'}>${escapeHtml(catchword)}${next ? ' …' : ''}</button>`;
  }
}

/** The sentence on why fewer rulings count than were written; "" if all count. @param {import('./types.js').ReplayPage} page */
function countingSentence({ entries }) {
  const frames = entries.map((entry) => entry.frame);
  const undoneCount = frames.filter((frame) => frame.struck).length;
  const voidCount = frames.filter((frame) => frame.void && !frame.struck).length;
  const correctionCount = frames.filter((frame) => frame.kind === 'correction').length;
  const reasons = [
    undoneCount && `${undoneCount} ${undoneCount > 1 ? 'were' : 'was'} undone`,
    voidCount && `${voidCount} became void`,
    correctionCount && (correctionCount > 1 ? `${correctionCount} are corrections` : '1 is a correction'),
  ].filter(Boolean);
  const validCount = entries.length - undoneCount - voidCount - correctionCount;
  return reasons.length ? `${validCount} of ${countWords(entries.length, 'ruling')} count: ${reasons.join(', ')}.` : '';
}

class MamLive extends Part {
  show() {
    const { entry, frame, atResult, page } = this.reader;
    const sentences = atResult ? [page.result?.lead] : [...(frame.bookkeeping ?? []), entry.lead];
    this.textContent = this.reader.playing ? '' : sentences.filter(Boolean).join(' ');
  }
}

const PARTS = {
  'mam-readings': MamReadings,
  'mam-card': MamCard,
  'mam-catchword': MamCatchword,
  'mam-fighters': MamFighters,
  'mam-strip': MamStrip,
  'mam-share': MamShare,
  'mam-search': MamSearch,
  'mam-log': MamLog,
  'mam-timeline': MamTimeline,
  'mam-playback': MamPlayback,
  'mam-explanation': MamExplanation,
  'mam-figures': MamFigures,
  'mam-seal': MamSeal,
  'mam-live': MamLive,
  'mam-new-rulings': MamNewRulings,
};

/** The delay in milliseconds before the address changes, because browsers limit how often it may. */
const ADDRESS_DELAY = 300;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let addressTimer;

/** Put the moment and the version into the address, so that its link stays true after later corrections. @param {Reader} reader */
function writeAddress(reader) {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, '', link(reader)), ADDRESS_DELAY);
}
/** @param {Reader} reader */
function readAddress(reader) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  setTheme(parameters.get('theme'));
  const number = Number(parameters.get('at') ?? 0);
  // Ignore an address without a moment.
  if (!reader.newest.has(number)) return;
  const readingName = parameters.get('reading') ?? '';
  const reading = /** @type {Reading} */ (Object.hasOwn(READINGS, readingName) ? readingName : 'stands');
  reader.read(reader.readingAtLink(number, Number(parameters.get('v') ?? reader.version), reading));
  reader.goToRuling(number);
}

/** @param {Reader} reader @param {MouseEvent} event */
function handleClick(reader, event) {
  const target = /** @type {HTMLElement | null} */ (
    /** @type {HTMLElement} */ (event.target).closest(
      '[data-do], [data-explanation], [data-who], [data-to], [data-curve]',
    )
  );
  if (!target) return;
  const { explanation, who, to, do: name = '' } = target.dataset;
  if (explanation) /** @type {MamExplanation} */ (document.querySelector('mam-explanation')).explain(target);
  else if (who) reader.choose(who);
  else if (to) reader.goToRuling(Number(to));
  else if (name === 'theme') [toggleTheme(), writeAddress(reader)];
  else if (Object.hasOwn(ACTIONS, name)) ACTIONS[name]?.(reader);
  else if (name) /** @type {MamPlayback} */ (document.querySelector('mam-playback')).perform(name);
  else {
    const { left, width } = target.getBoundingClientRect();
    reader.go(Math.floor(((event.clientX - left) / width) * reader.entries.length));
  }
}

async function openPage() {
  const data = document.getElementById('book')?.textContent ?? '';
  const reader = await unpack(data)
    .then((page) => new Reader(page))
    .catch(showDamaged);
  if (!reader) return;
  const page = /** @type {HTMLElement & { reader?: Reader }} */ (document.querySelector('mam-book'));
  page.reader = reader;
  readAddress(reader);
  /** @type {HTMLElement} */ (document.querySelector('dialog')).innerHTML = keysAndSigns(reader.page.counters);
  keepFocus(reader);
  for (const [name, part] of Object.entries(PARTS)) customElements.define(name, part);
  page.classList.add('alive');
  reader.addEventListener('moment', () => writeAddress(reader));
  addEventListener('hashchange', () => readAddress(reader));
  addEventListener('resize', () => setInitials(page));
  document.addEventListener('click', (event) => handleClick(reader, event));
}

applyStyles();
await openPage();
