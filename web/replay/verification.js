/**
 * The check that nothing in this page was altered: it computes every seal again from the rows, compares every die, and
 * recomputes every drawn die whose seed was revealed.
 */

import { unseenRulings } from './rolls.js';
import { nextSeal, Fault, rowOf, rulingsOf } from './rows.js';
import { drawnDice } from './seeds.js';

/**
 * What was found: rulings, the rows that are shown, and how many hashes stand for what is hidden; dice that were drawn,
 * those of them whose seed is `revealed`, those that it gives alone, and those that are `salted`; the rulings that are
 * shown `unseen`, because they or their outcomes are hidden in the log, and those whose drawn dice are `unproven`,
 * because what is hidden may have words of players. `wrong` is the first ruling that does not check (0: none), and `why`
 * what is wrong with it.
 *
 * @typedef {{ rulings: number, rows: number, hidden: number, drawn: number, revealed: number, proven: number, salted: number, unseen: number[], unproven: number[], wrong: number, why: string }} Proof
 */

const PAUSE = 8;

/**
 * Check what a book tells against the rows of the log in it; it pauses now and then, so that the page stays alive.
 *
 * @param {Pick<import('./types.js').Book, 'rows' | 'seal' | 'view' | 'people' | 'leaves' | 'played'>} book
 * @returns {Promise<Proof>}
 */
export async function verify(book) {
  const found = {
    rulings: 0,
    rows: 0,
    hidden: 0,
    drawn: 0,
    revealed: 0,
    proven: 0,
    salted: 0,
    unseen: [],
    unproven: [],
    wrong: 0,
    why: '',
  };
  try {
    return { ...found, ...(await checked(book, breathing())) };
  } catch (fault) {
    if (fault instanceof Fault) return { ...found, wrong: fault.ruling, why: fault.message };
    return { ...found, wrong: 1, why: 'its log cannot be read' };
  }
}

/** @param {Parameters<typeof verify>[0]} book @param {() => Promise<void>} breath */
async function checked(book, breath) {
  const { rows: lines, seal, view } = book;
  const rows = [];
  for (const line of lines) {
    rows.push(rowOf(line));
    await breath();
  }
  const rulings = rulingsOf(rows);
  let last = '';
  for (const ruling of rulings) {
    last = nextSeal(last, ruling);
    await breath();
  }
  const hidden = rulings.filter(({ rows: own, rest }) => rest.length || own.some((row) => row.hash));
  if (hidden[0] && view === 'gm') throw new Fault(hidden[0].number, 'a page of the game master cannot hide anything');
  const dice = await drawnDice(rulings, breath);
  const unseen = unseenRulings(rulings, book);
  if (last !== seal) throw new Fault(rulings.length, 'the log does not end with its seal');
  return {
    rulings: rulings.length,
    rows: rows.filter((row) => row?.topic).length,
    hidden: rows.filter((row) => row?.hash).length,
    unseen,
    ...dice,
  };
}

/** Something to await again and again in long work, which lets the page live whenever PAUSE milliseconds have gone. */
function breathing() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < PAUSE) return;
    await new Promise((done) => setTimeout(done));
    since = performance.now();
  };
}
