/** The seal of the log, whole or broken, and what this page verified, in words. */

import { Part } from './reader.js';
import { verify } from './verification.js';
import { countWords, escapeHtml } from './text.js';

/** @typedef {import('./verification.js').Proof} Proof */

const WAX =
  '<path d="M26 2c5 0 6 3 10 4s8 1 9 6 5 6 5 12-4 7-5 12-4 8-9 9-6 5-11 5-7-4-12-5-8-3-9-8-3-7-2-13 0-8 4-11 6-7 10-8 6-3 10-3z" class="wax"/><circle cx="26" cy="26" r="15" class="stamp"/><path d="M17 35l18-18M35 35L17 17" class="stamp thick"/>';
const CRACK = '<path d="M30 1l-6 14 7 8-9 10 5 9-4 10" class="crack"/>';

export class MamSeal extends Part {
  async open() {
    const { page, version } = this.reader;
    this.#display(`Checking the seals of ${countWords(version, 'ruling')} …`, page.seal, false);
    const proof = await verify(page);
    this.dataset.state = proof.wrong ? 'broken' : proof.unseen.length ? 'partial' : 'whole';
    this.#display(
      proof.wrong ? `The check fails at ruling ${proof.wrong}: ${proof.why}.` : proofSentences(proof),
      page.seal,
      Boolean(proof.wrong),
    );
  }

  /** @param {string} words @param {string} seal @param {boolean} isBroken */
  #display(words, seal, isBroken) {
    const digits = seal.match(/.{8}/g)?.join(' ') ?? '';
    this.innerHTML = `<svg viewBox="0 0 52 52" class="${isBroken ? 'broken' : ''}" aria-hidden="true">${WAX}${isBroken ? CRACK : ''}</svg><p><span class="label" role="status">${escapeHtml(words)}</span><br><code>${escapeHtml(digits)}</code></p>`;
  }
}

/** @param {Proof} proof */
function proofSentences({ rulings, rows, hidden, drawn, revealed, proven, salted, unseen, unproven }) {
  const hiddenWords = hidden ? `, ${countWords(hidden, 'hidden part')} only as hashes` : '';
  const dice = diceIn(drawn);
  return [
    `This page checked the seals of all ${countWords(rulings, 'ruling')} (${countWords(rows, 'row')}${hiddenWords}): nothing was altered.`,
    revealed ? `The revealed seed proves ${proven} of ${dice}.` : '',
    drawn && !revealed ? `${dice} can be checked once the seed is revealed.` : '',
    salted ? `For ${diceIn(salted)} the only proof is a seal that was noted before the seed was revealed.` : '',
    hidden ? 'This page cannot check hidden dice.' : '',
    unproven.length
      ? `This page cannot check the drawn dice of ${rulingNumbers(unproven)}: they may depend on something hidden.`
      : '',
    unseen.length
      ? `This page cannot check what it shows of ${rulingNumbers(unseen)}, which is hidden. All other dice shown are those of the log.`
      : 'The dice shown are those of the log.',
    'The rest of the wording is not sealed.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {number} count */
const diceIn = (count) => countWords(count, 'drawn die').replace('dies', 'dice');
/** @param {number[]} numbers */
const rulingNumbers = (numbers) => `${numbers.length === 1 ? 'ruling' : 'rulings'} ${numbers.join(', ')}`;
