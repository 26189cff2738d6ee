/** The check of a log's dice: each is possible, and drawn ones come from the seed committed to before. */

import { rollsIn } from './rolls.js';
import { Fault, isJudged, withLength } from './rows.js';
import { fromHex, hmac, concatBytes, sha256, toHex } from './sha256.js';

/** @typedef {import('./rows.js').Ruling} Ruling */
/** @typedef {import('./rolls.js').Die} Die */
/** The part of a log from one commitment to the next. @typedef {{ commitments: Set<string>, seed: string, closed: boolean }} Stage */
/** @typedef {{ number: number, die: Die, stage: Stage }} DrawnDie */

/** @type {Record<string, number>} */
const SIDES = { d4: 4, d6: 6, d8: 8, d10: 10, d12: 12, d20: 20 };
const DIE = ['key', 'kind', 'face', 'source', 'salt'];
const SOURCES = ['thrown', 'drawn', 'amended'];
const SALT = /^([0-9a-f]{32})?$/;
const HEX = /^([0-9a-f]{2})+$/;
const PUBLIC = 'public';
const encoder = new TextEncoder();
/** The ruling that a die was drawn for. @param {Die} die */
const rulingOf = ({ key }) => Number(key.split('/', 1)[0]);
/** @param {string} seed */
const commitmentOf = (seed) => toHex(sha256(fromHex(seed)));
/** @returns {Stage} */
const stageOf = (commitment = '') => ({
  commitments: new Set(commitment ? [commitment] : []),
  seed: '',
  closed: false,
});

/** @param {number} judgedRuling @param {Die} die */
function isPossible(judgedRuling, die) {
  const { key, kind, face, source, salt = '' } = die;
  const [, slot = '', index = ''] = String(key).split('/');
  const hasOwnKey = key === `${judgedRuling}/${slot}/${index}/${kind}` && /^\d+$/.test(index);
  const isKnown = Object.keys(die).every((name) => DIE.includes(name)) && SOURCES.includes(source);
  const hasPossibleFace = Number.isInteger(face) && face >= 1 && face <= (SIDES[kind] ?? 0);
  return hasOwnKey && isKnown && hasPossibleFace && SALT.test(salt) && (source === 'drawn' || !salt);
}

/** Collects the dice of a log, ruling by ruling; throws a Fault for an impossible one. */
class Dice {
  constructor() {
    this.stages = [stageOf()];
    /** @type {Map<number, Stage>} */
    this.stageIn = new Map();
    /** Every drawn die by its key, as it first fell. @type {Map<string, DrawnDie>} */
    this.drawn = new Map();
    /** @type {[number, string][]} */
    this.words = [];
    /** True after the opening, even if it commits to no seed. */
    this.hasOpening = false;
    /** The first ruling that may have been hidden when it was written, and the first that certainly was. */
    [this.firstMaybeHidden, this.firstHidden] = [Infinity, Infinity];
  }

  get stage() {
    return /** @type {Stage} */ (this.stages.at(-1));
  }

  /** @param {Ruling} ruling */
  addRuling({ number, head, rows }) {
    this.recordVisibility(number, head);
    if (head.topic.startsWith('Branch.')) this.branch(number, head.fields);
    if (head.topic.startsWith('Play.')) this.words.push([number, head.fields.command?.word || '']);
    this.stageIn.set(number, this.stage);
    let judgedRuling = head.hash ? 0 : number;
    const faces = new Map();
    const closedStages = [];
    for (const row of rows.slice(1)) {
      if (row.hash || isJudged(row)) {
        judgedRuling = row.hash ? 0 : row.fields.ruling;
        faces.clear();
      } else if (row.topic.startsWith('EncounterOpened.')) {
        this.hasOpening = true;
        if (row.fields.commitment) this.stage.commitments.add(row.fields.commitment);
      } else if (row.topic.startsWith('EncounterClosed.')) {
        // A closing that is judged again repeats the seed of its own stage.
        closedStages.push(this.reveal(number, row.fields.seed, this.stageIn.get(judgedRuling) ?? this.stage));
      }
      for (const { die } of rollsIn(row)) {
        if (!die) continue;
        this.check(number, judgedRuling, die);
        // Several armor checks may use the same die.
        if ((faces.get(die.key) ?? die.face) !== die.face)
          throw new Fault(number, `it shows two faces of one die: ${die.key}`);
        faces.set(die.key, die.face);
      }
    }
    for (const stage of closedStages) stage.closed = true;
  }

  /** Record whether the ruling is, or may have been, hidden from somebody. @param {number} number @param {import('./rows.js').Row} head */
  recordVisibility(number, { hash, fields }) {
    // A hidden ruling may have been written so, or hidden by a later amendment.
    const visibility = fields.visibility ?? PUBLIC;
    if (hash || visibility !== PUBLIC) this.firstMaybeHidden = Math.min(this.firstMaybeHidden, number);
    if (visibility !== PUBLIC) this.firstHidden = Math.min(this.firstHidden, number);
  }

  /** @param {number} number @param {{ commitment: string, seed?: string }} fields */
  branch(number, { commitment, seed = '' }) {
    if (!/^[0-9a-f]{64}$/.test(commitment)) throw new Fault(number, 'it commits to no seed');
    if (seed) {
      const stages = this.stages.filter(({ commitments }) => HEX.test(seed) && commitments.has(commitmentOf(seed)));
      if (!stages.length) throw new Fault(number, 'it shows a seed that was not committed to');
      for (const stage of stages) stage.seed = seed;
    }
    this.stages.push(stageOf(commitment));
  }

  /** @param {number} number @param {string} seed @param {Stage} stage */
  reveal(number, seed, stage) {
    if (seed) {
      // The commitment of a hidden opening is unknown.
      const isCommitted = HEX.test(seed) && (!stage.commitments.size || stage.commitments.has(commitmentOf(seed)));
      if (!isCommitted) throw new Fault(number, 'it reveals a seed that the log never committed to');
      stage.seed = seed;
    }
    return stage;
  }

  /** @param {number} number @param {number} judgedRuling @param {Die} die */
  check(number, judgedRuling, die) {
    const { key, face, source, salt = '' } = die;
    if (!isPossible(judgedRuling, die)) throw new Fault(number, 'it has an impossible die');
    if (source !== 'drawn') return;
    if (this.hasOpening && !this.stage.commitments.size)
      throw new Fault(number, `${key} was drawn without a committed seed, so nobody can check it`);
    const knownDie = this.drawn.get(key);
    if (!knownDie && this.stage.closed)
      throw new Fault(number, `${key} was drawn after the seed was revealed, so its face was known before`);
    if (knownDie && (knownDie.die.face !== face || (knownDie.die.salt ?? '') !== salt))
      throw new Fault(number, `the drawn die ${key} shows another face than before`);
    if (knownDie) return;
    if (salt && number < this.firstMaybeHidden)
      throw new Fault(number, `${key} has a salt, but nothing was hidden before`);
    if (!salt && rulingOf(die) > this.firstHidden)
      throw new Fault(number, `${key} has no salt, but something was hidden before`);
    this.drawn.set(key, { number, die, stage: this.stage });
  }
}

/**
 * The numbers of dice that were drawn, whose seed is revealed, that the seed alone determines, and that have a salt,
 * which no commitment binds. Also the rulings whose dice cannot be recomputed though the seed is known, because a
 * player's word may be hidden. Throws a Fault for a die that differs from the one that its seed gives.
 *
 * @param {Ruling[]} rulings @param {() => Promise<void>} pause
 */
export async function drawnDice(rulings, pause) {
  const dice = new Dice();
  for (const ruling of rulings) {
    dice.addRuling(ruling);
    await pause();
  }
  const firstHiddenRuling = rulings.find(({ head }) => head.hash)?.number ?? Infinity;
  const unproven = new Set();
  let [proven, revealed] = [0, 0];
  for (const { number, die, stage } of dice.drawn.values()) {
    if (!stage.seed) continue;
    revealed += 1;
    const ruling = rulingOf(die);
    if (ruling >= firstHiddenRuling) {
      unproven.add(ruling);
      continue;
    }
    const words = dice.words.filter(([play, word]) => word && play <= ruling).map(([, word]) => word);
    if (draw(fromHex(stage.seed), words, die, SIDES[die.kind] ?? 6) !== die.face)
      throw new Fault(number, 'the revealed seed gives another die');
    // A salted die proves nothing: somebody who knows the seed can find a salt for any face.
    proven += die.salt ? 0 : 1;
    await pause();
  }
  const salted = [...dice.drawn.values()].filter(({ die }) => die.salt).length;
  return { drawn: dice.drawn.size, revealed, proven, salted, unproven: [...unproven] };
}

/** The face that a seed gives. @param {Uint8Array} seed @param {string[]} words @param {Die} die @param {number} sides */
function draw(seed, words, { key, salt = '' }, sides) {
  const message = concatBytes(
    ...words.map((word) => withLength(encoder.encode(word))),
    encoder.encode(key),
    fromHex(salt),
  );
  const limit = 256 - (256 % sides);
  for (let stream = hmac(seed, message); ; stream = hmac(seed, concatBytes(stream, message))) {
    const byte = stream.find((candidate) => candidate < limit);
    if (byte !== undefined) return (byte % sides) + 1;
  }
}
