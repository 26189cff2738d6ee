/** The seal of the log: whole or broken, and in words what this page computed anew. */

import { Part } from './book.js';
import { proved } from './proof.js';
import { counted, escaped } from './words.js';

/** @typedef {import('./proof.js').Proof} Proof */

const WAX =
  '<path d="M26 2c5 0 6 3 10 4s8 1 9 6 5 6 5 12-4 7-5 12-4 8-9 9-6 5-11 5-7-4-12-5-8-3-9-8-3-7-2-13 0-8 4-11 6-7 10-8 6-3 10-3z" class="wax"/><circle cx="26" cy="26" r="15" class="stamp"/><path d="M17 35l18-18M35 35L17 17" class="stamp thick"/>';
const CRACK = '<path d="M30 1l-6 14 7 8-9 10 5 9-4 10" class="crack"/>';

export class MamSeal extends Part {
  async open() {
    const { book, version } = this.reader;
    this.#tell(`The seals of ${counted(version, 'ruling')} are being computed …`, book.seal, false);
    const found = await proved(book);
    this.dataset.state = found.wrong ? 'broken' : found.unseen.length ? 'partial' : 'whole';
    this.#tell(
      found.wrong ? `Ruling ${found.wrong} does not check: ${found.why}.` : sentences(found),
      book.seal,
      Boolean(found.wrong),
    );
  }

  /** @param {string} words @param {string} seal @param {boolean} broken */
  #tell(words, seal, broken) {
    const digits = seal.match(/.{8}/g)?.join(' ') ?? '';
    this.innerHTML = `<svg viewBox="0 0 52 52" class="${broken ? 'broken' : ''}" aria-hidden="true">${WAX}${broken ? CRACK : ''}</svg><p><span class="lab" role="status">${escaped(words)}</span><br><code>${escaped(digits)}</code></p>`;
  }
}

/** @param {Proof} found */
function sentences({ rulings, rows, hidden, drawn, revealed, proven, salted, unseen, unproven }) {
  const shown = hidden ? `, and ${counted(hidden, 'hidden part')} as hashes alone` : '';
  const dice = diceIn(drawn);
  return [
    `This page has computed every seal anew: ${counted(rulings, 'ruling')} in ${counted(rows, 'row')}${shown}. All are right.`,
    revealed ? `${proven} of ${dice} proven by the revealed seed.` : '',
    drawn && !revealed ? `${dice}, which can be recomputed once the seed is revealed.` : '',
    salted
      ? `${diceIn(salted)} with a salt that no commitment binds: only a seal that was noted before the seed was revealed proves what they show.`
      : '',
    hidden ? 'This page cannot check the dice in what is hidden.' : '',
    unproven.length
      ? `It cannot recompute the drawn dice of ${numbered(unproven)}: what is hidden may have a word that they depend on.`
      : '',
    unseen.length
      ? `It cannot check what it shows of ${numbered(unseen)}: that is in what is hidden. All other dice shown are those of the log.`
      : 'The dice shown are those of the log.',
    'Everything else on this page is under no seal.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {number} count */
const diceIn = (count) => counted(count, 'drawn die').replace('dies', 'dice');
/** @param {number[]} numbers */
const numbered = (numbers) => `${numbers.length === 1 ? 'ruling' : 'rulings'} ${numbers.join(', ')}`;
