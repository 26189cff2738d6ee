/** Ways to share: a link to this moment, the fight as text, the moment as a picture. */

import { Part } from './reader.js';
import { countWords, isolate } from './text.js';

const SCALE = 2;

/** The fragment of the address for this moment; none for the result, with which the page opens. @param {import('./reader.js').Reader} reader */
export function link(reader) {
  const moment = { at: String(reader.frame.number), v: String(reader.version), reading: reader.reading };
  const place = reader.atResult ? {} : moment;
  const theme = document.documentElement.dataset.theme;
  return `#${new URLSearchParams({ ...place, ...(theme ? { theme } : {}) })}`;
}

export class MamShare extends Part {
  open() {
    const item = (/** @type {string} */ what, /** @type {string} */ words) =>
      `<li><button data-share="${what}">${words}</button></li>`;
    this.innerHTML = `<button class="icon" popovertarget="share-list" aria-label="Share"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" aria-hidden="true"><path d="M12 15V3M8 7l4-4 4 4M5 11v9h14v-9"/></svg></button><ul id="share-list" popover>${item('link', 'Copy a link to this moment')}${item('text', 'Copy the fight as text')}${item('svg', 'This moment as a picture (SVG)')}${item('png', 'This moment as a picture (PNG)')}${item('print', 'Print')}</ul><span class="visually-hidden" role="status"></span>`;
    this.addEventListener('click', (event) => {
      const what = /** @type {HTMLElement} */ (event.target).dataset.share;
      if (what) this.#share(what);
    });
  }

  /** @param {string} what */
  async #share(what) {
    /** @type {HTMLElement} */ (this.querySelector('ul')).hidePopover();
    if (what === 'link') return this.#copy(new URL(link(this.reader), location.href).href, 'The link is copied.');
    if (what === 'text')
      return this.#copy(
        this.transcript(),
        `The text of ${countWords(this.reader.entries.length, 'ruling')} is copied.`,
      );
    if (what === 'print') return print();
    const { page, atResult, frame } = this.reader;
    const name = `${page.encounter}-${atResult ? 'result' : frame.number}.${what}`;
    const svg = picture();
    return save(what === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await renderPng(svg), name);
  }

  /** The fight as text in the current reading: a line for each ruling, after its bookkeeping. */
  transcript() {
    const { page, entries } = this.reader;
    const lines = entries.map(({ frame, line }) => {
      const when = frame.round ? `r${frame.round} t${frame.turn ?? 0}` : '';
      const bookkeeping = (frame.bookkeeping ?? []).map((words) => `${' '.repeat(17)}– ${isolate(words)}\n`);
      const parts = [
        `№ ${frame.number}`.padEnd(7),
        when.padEnd(6),
        frame.hidden ? 'hidden' : isolate(line ?? ''),
        ...(frame.marks ?? []).map(isolate),
      ];
      return bookkeeping.join('') + parts.join('  ');
    });
    return `${page.title || page.encounter}\n\n${lines.join('\n')}\n\n${page.seal}\n`;
  }

  /** @param {string} text @param {string} message */
  async #copy(text, message) {
    const status = /** @type {HTMLElement} */ (this.querySelector('[role=status]'));
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyByHand(text);
    }
    status.textContent = message;
  }
}

/** Copy through a selection, because a page from disk may not write to the clipboard itself. @param {string} text */
function copyByHand(text) {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** The card as a picture: its elements with the styles of this page. */
function picture() {
  const card = /** @type {HTMLElement} */ (document.querySelector('mam-card'));
  const { width, height } = card.getBoundingClientRect();
  const styles = [...document.querySelectorAll('style')].map((style) => style.textContent).join('\n');
  const defs = /** @type {SVGElement} */ (document.querySelector('svg defs')).outerHTML;
  const root = document.documentElement;
  const scheme = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  // The design tokens are defined on :root, which the picture does not have.
  const pageStyles = styles.replaceAll(`:root[data-theme='${scheme}']`, '.picture').replaceAll(':root', '.picture');
  const copy = /** @type {HTMLElement} */ (card.cloneNode(true));
  const markup = new XMLSerializer().serializeToString(copy);
  const [w, h] = [Math.ceil(width) + 32, Math.ceil(height) + 32];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${defs}<foreignObject width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" class="picture"><style>${escapedStyle(pageStyles)} .picture{background:var(--sheet);color:var(--ink);padding:16px;font:100%/var(--lead-text) var(--serif)}</style>${markup}</div></foreignObject></svg>`;
}

/** @param {string} style */
const escapedStyle = (style) => style.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** @param {string} svg @returns {Promise<Blob>} */
async function renderPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * SCALE;
  canvas.height = image.height * SCALE;
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}
