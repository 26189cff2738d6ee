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
    this.innerHTML = `<fieldset class="readings"><legend class="vh">How corrections are read</legend>${labels.join('')}</fieldset>`;
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
    const { at, entries, reading, ended, result, page } = this.reader;
    const next = entries[at + 1];
    const after = result && !ended ? 'the result' : 'the end';
    const how = { both: ', undone ones too', played: ', as it was played', stands: ', as it stands now' }[reading];
    const words = (next?.lead ?? after)
      .split(' ')
      .slice(0, 4)
      .join(' ')
      .replace(/[.,:]$/, '');
    const gone = reading === 'stands' && leftOut(page);
    const where = ended ? countWords(entries.length, 'ruling') : `${at + 1} of ${entries.length}`;
    const told = ended && gone ? gone : `${where}${how}`;
    this.innerHTML = `<span class="lab"${gone ? ` title="${gone}"` : ''}>${told}</span><button data-do="next"${next || after === 'the result' ? '' : ' disabled'}>${escapeHtml(words)}${next ? ' …' : ''}</button>`;
  }
}

/** The sentence on why fewer rulings count than were written; "" if all count. @param {import('./types.js').ReplayPage} page */
function leftOut({ entries }) {
  const frames = entries.map((entry) => entry.frame);
  const struck = frames.filter((frame) => frame.struck).length;
  const gone = frames.filter((frame) => frame.void && !frame.struck).length;
  const corrections = frames.filter((frame) => frame.kind === 'correction').length;
  const why = [
    struck && `${struck} ${struck > 1 ? 'were' : 'was'} undone`,
    gone && `${gone} became void`,
    corrections && (corrections > 1 ? `${corrections} are corrections` : '1 is a correction'),
  ].filter(Boolean);
  const counting = entries.length - struck - gone - corrections;
  return why.length ? `${counting} of ${countWords(entries.length, 'ruling')} count: ${why.join(', ')}.` : '';
}

class MamLive extends Part {
  show() {
    const { entry, frame, ended, page } = this.reader;
    const told = ended ? [page.result?.lead] : [...(frame.bookkeeping ?? []), entry.lead];
    this.textContent = this.reader.playing ? '' : told.filter(Boolean).join(' ');
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
const REST = 300;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** Put the moment and the version into the address, so that its link stays true after later corrections. @param {Reader} reader */
function write(reader) {
  clearTimeout(resting);
  resting = setTimeout(() => history.replaceState(null, '', link(reader)), REST);
}
/** @param {Reader} reader */
function arrive(reader) {
  const asked = new URLSearchParams(location.hash.slice(1));
  setTheme(asked.get('theme'));
  const number = Number(asked.get('at') ?? 0);
  // Ignore an address without a moment.
  if (!reader.newest.has(number)) return;
  const named = asked.get('reading') ?? '';
  const reading = /** @type {Reading} */ (Object.hasOwn(READINGS, named) ? named : 'stands');
  reader.read(reader.asSent(number, Number(asked.get('v') ?? reader.version), reading));
  reader.to(number);
}

/** @param {Reader} reader @param {MouseEvent} event */
function pressed(reader, event) {
  const on = /** @type {HTMLElement | null} */ (
    /** @type {HTMLElement} */ (event.target).closest(
      '[data-do], [data-explanation], [data-who], [data-to], [data-curve]',
    )
  );
  if (!on) return;
  const { explanation, who, to, do: name = '' } = on.dataset;
  if (explanation) /** @type {MamExplanation} */ (document.querySelector('mam-explanation')).explain(on);
  else if (who) reader.choose(who);
  else if (to) reader.to(Number(to));
  else if (name === 'theme') [toggleTheme(), write(reader)];
  else if (Object.hasOwn(ACTIONS, name)) ACTIONS[name]?.(reader);
  else if (name) /** @type {MamPlayback} */ (document.querySelector('mam-playback')).deed(name);
  else {
    const { left, width } = on.getBoundingClientRect();
    reader.go(Math.floor(((event.clientX - left) / width) * reader.entries.length));
  }
}

async function opened() {
  const packed = document.getElementById('book')?.textContent ?? '';
  const reader = await unpack(packed)
    .then((page) => new Reader(page))
    .catch(showDamaged);
  if (!reader) return;
  const page = /** @type {HTMLElement & { reader?: Reader }} */ (document.querySelector('mam-book'));
  page.reader = reader;
  arrive(reader);
  /** @type {HTMLElement} */ (document.querySelector('dialog')).innerHTML = keysAndSigns(reader.page.counters);
  keepFocus(reader);
  for (const [name, part] of Object.entries(PARTS)) customElements.define(name, part);
  page.classList.add('alive');
  reader.addEventListener('moment', () => write(reader));
  addEventListener('hashchange', () => arrive(reader));
  addEventListener('resize', () => setInitials(page));
  document.addEventListener('click', (event) => pressed(reader, event));
}

applyStyles();
await opened();
