/** The seal of the log: whole or broken, and in words what this page computed anew. */

import { Part } from './book.js';
import { proved } from './proof.js';
import { counted } from './words.js';

/** @typedef {import('./proof.js').Proof} Proof */

const WAX =
  '<path d="M26 2c5 0 6 3 10 4s8 1 9 6 5 6 5 12-4 7-5 12-4 8-9 9-6 5-11 5-7-4-12-5-8-3-9-8-3-7-2-13 0-8 4-11 6-7 10-8 6-3 10-3z" class="wax"/><circle cx="26" cy="26" r="15" class="stamp"/><path d="M17 35l18-18M35 35L17 17" class="stamp thick"/>';
const CRACK = '<path d="M30 1l-6 14 7 8-9 10 5 9-4 10" class="crack"/>';

export class MamSeal extends Part {
  async open() {
    const { rows, seal, leaves, played } = this.reader.book;
    this.#tell(`The seals of ${counted(this.reader.version, 'ruling')} are being computed …`, seal, false);
    const found = await proved(rows, seal, [...leaves, ...played]);
    this.dataset.state = found.wrong ? 'broken' : 'whole';
    this.#tell(
      found.wrong ? `Ruling ${found.wrong} does not check: ${found.why}.` : this.#words(found),
      seal,
      Boolean(found.wrong),
    );
  }

  /** @param {Proof} found */
  #words({ rulings, rows, hidden, drawn, proven }) {
    const shown = hidden ? `, ${counted(hidden, 'row')} of them as hashes alone` : '';
    const dice = drawn
      ? ` ${proven} of ${counted(drawn, 'drawn die').replace('dies', 'dice')} recomputed from the revealed seed.`
      : '';
    return `This page has computed every seal anew: ${counted(rulings, 'ruling')} in ${counted(rows, 'row')}${shown}. All are right.${dice} The dice shown are theirs; the words of this page are under no seal.`;
  }

  /** @param {string} words @param {string} seal @param {boolean} broken */
  #tell(words, seal, broken) {
    const digits = seal.match(/.{8}/g)?.join(' ') ?? '';
    this.innerHTML = `<svg viewBox="0 0 52 52" class="${broken ? 'broken' : ''}" aria-hidden="true">${WAX}${broken ? CRACK : ''}</svg><p><span class="lab" role="status">${words}</span><br><code>${digits}</code></p>`;
  }
}
