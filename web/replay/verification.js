/**
 * The check that nothing in this page was altered: it computes every seal again from the rows, compares every die, and
 * recomputes every drawn die whose seed was revealed.
 */

import { unseenRulings } from './rolls.js';
import { nextSeal, Fault, rowOf, rulingsOf } from './rows.js';
import { drawnDice } from './seeds.js';

/**
 * The result of the check: the numbers of rulings, of visible rows and of hidden hashes; of dice that were drawn, whose
 * seed is `revealed`, that the seed alone determines (`proven`), and that are `salted`. `unseen` are the rulings that the
 * page shows although they or their outcomes are hidden in the log. `unproven` are those whose drawn dice cannot be
 * recomputed, because words of players may be hidden. `wrong` is the first ruling that fails the check (0: none), and
 * `why` is the reason.
 *
 * @typedef {{ rulings: number, rows: number, hidden: number, drawn: number, revealed: number, proven: number, salted: number, unseen: number[], unproven: number[], wrong: number, why: string }} Proof
 */

const PAUSE = 8;

/**
 * Check a page against the rows of the log in it, with pauses so that the page stays responsive.
 *
 * @param {Pick<import('./types.js').ReplayPage, 'rows' | 'seal' | 'view' | 'people' | 'entries' | 'played'>} page
 * @returns {Promise<Proof>}
 */
export async function verify(page) {
  const emptyProof = {
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
    return { ...emptyProof, ...(await checkPage(page, pauser())) };
  } catch (fault) {
    if (fault instanceof Fault) return { ...emptyProof, wrong: fault.ruling, why: fault.message };
    return { ...emptyProof, wrong: 1, why: 'its log cannot be read' };
  }
}

/** @param {Parameters<typeof verify>[0]} page @param {() => Promise<void>} pause */
async function checkPage(page, pause) {
  const { rows: lines, seal, view } = page;
  const rows = [];
  for (const line of lines) {
    rows.push(rowOf(line));
    await pause();
  }
  const rulings = rulingsOf(rows);
  let last = '';
  for (const ruling of rulings) {
    last = nextSeal(last, ruling);
    await pause();
  }
  const hiddenRulings = rulings.filter(({ rows: ownRows, rest }) => rest.length || ownRows.some((row) => row.hash));
  if (hiddenRulings[0] && view === 'gm')
    throw new Fault(hiddenRulings[0].number, 'a page of the game master cannot hide anything');
  const dice = await drawnDice(rulings, pause);
  const unseenNumbers = unseenRulings(rulings, page);
  if (last !== seal) throw new Fault(rulings.length, 'the log does not end with its seal');
  return {
    rulings: rulings.length,
    rows: rows.filter((row) => row?.topic).length,
    hidden: rows.filter((row) => row?.hash).length,
    unseen: unseenNumbers,
    ...dice,
  };
}

/** A function to await often in long work; it yields to the page after every PAUSE milliseconds. */
function pauser() {
  let lastPause = performance.now();
  return async () => {
    if (performance.now() - lastPause < PAUSE) return;
    await new Promise((resolve) => setTimeout(resolve));
    lastPause = performance.now();
  };
}
