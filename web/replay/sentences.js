/** The check that sentences contain the dice of the log in order, and nothing else that looks like a die. */

import { isJudged } from './rows.js';
import { SOURCES } from './text.js';

/** @typedef {import('./rows.js').Ruling} Ruling */
/** @typedef {{ face: number, source: string }} Face */
/** The texts by people in a ruling, and the rulings that it refers to. @typedef {{ texts: Set<string>, about: Set<number> }} Writing */

/** A die in a line, `[6*]`, and in a sentence, `6 (drawn)` or `12 on a d20 (drawn)`. */
const DIE = /\[(\d+)([*!?]?)\]|(\d+)(?: on a d\d+)? \((thrown|drawn|amended)\)/g;
/** Signs that look like a part of a die or are invisible; the program itself writes them only around dice. */
const STRANGE = /(?![ -Z^-z|~\n→↔])[[\]{}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{N}\p{S}\p{M}\p{C}\p{Z}]/u;
/** Fields that name a ruling. */
const RULINGS = [
  'about',
  'action',
  'after',
  'against',
  'answers',
  'corrections',
  'exchange',
  'interruption',
  'interrupts',
  'ruling',
];

/** True if a text contains something like a die or a part of one. @param {string} text */
const isPeculiar = (text) => STRANGE.test(text) || text.search(DIE) >= 0;

/** True if a text contains something like a die, or a digit that is not ASCII. @param {string} text */
const isDie = (text) => text.search(DIE) >= 0 || /(?![0-9])\p{N}/u.test(text);

/** The texts by people in a log, which a sentence may quote. */
export class Writings {
  /** @param {Ruling[]} rulings @param {string[]} others names on the page of combatants whose joins are hidden */
  constructor(rulings, others) {
    /** Names of people and things, which may occur in any sentence. @type {Set<string>} */
    this.names = new Set(others.filter((name) => /\p{L}/u.test(name) && !isDie(name)));
    /** @type {Map<number, Writing>} */
    this.byRuling = new Map();
    for (const { number, rows } of rulings) {
      let judgedRuling = number;
      for (const row of rows) {
        const { topic, fields, ruling } = row;
        if (isJudged(row)) judgedRuling = fields.ruling;
        // The client chooses the id of an order, and no sentence contains it.
        this.#gather(ruling ? { ...fields, id: '' } : fields, '', [number, judgedRuling]);
        for (const step of topic.startsWith('Correction.') ? fields.steps : [])
          this.#gather(step.patch, '', [step.ruling]);
      }
    }
  }

  /** @param {number} number @returns {Writing} */
  #writingOf(number) {
    const writing = this.byRuling.get(number) ?? { texts: new Set(), about: new Set() };
    this.byRuling.set(number, writing);
    return writing;
  }

  /** @param {any} value @param {string} key @param {number[]} rulings the rulings with these words */
  #gather(value, key, rulings) {
    if (typeof value === 'string' && isPeculiar(value)) {
      if (key === 'name') this.names.add(value);
      for (const ruling of rulings) this.#writingOf(ruling).texts.add(value);
    } else if (typeof value === 'number' && RULINGS.includes(key)) {
      for (const ruling of rulings) this.#writingOf(ruling).about.add(value);
    } else if (value && typeof value === 'object') {
      const pairs = Array.isArray(value) ? value.map((item) => [key, item]) : Object.entries(value);
      for (const [name, item] of pairs) this.#gather(item, name, rulings);
    }
  }

  /** The texts that a sentence about a ruling may quote: its own, those of rulings that it refers to, and names. @param {number} number */
  quotable(number) {
    const quotable = new Set(this.names);
    const rulings = new Set([number]);
    for (const ruling of rulings) {
      const { texts, about } = this.#writingOf(ruling);
      for (const text of texts) quotable.add(text);
      for (const other of about) rulings.add(other);
    }
    return [...quotable];
  }

  /**
   * True if a sentence about a ruling contains these dice, each once and in this order (with `silent`, or none of them),
   * and everything else in it that looks like a part of a die is a quotation.
   *
   * @param {number} number @param {string} sentence @param {Face[]} dice
   */
  allows(number, sentence, dice, silent = false) {
    const quotations = isPeculiar(sentence) ? placesIn(sentence, this.quotable(number)) : [];
    const diceFound = [...sentence.matchAll(DIE)].map((match) => ({
      from: match.index,
      to: match.index + match[0].length,
      match,
    }));
    let matchedCounts = new Set([0]);
    for (const { from, to, match } of diceFound) {
      const [, face = match[3], sign = '', , source = SOURCES[sign]] = match;
      const isQuoted = quotations.some((place) => place.from <= from && to <= place.to);
      // A quoted text may look like the next die.
      const next = [...matchedCounts].filter(
        (count) => dice[count]?.face === Number(face) && dice[count].source === source,
      );
      matchedCounts = new Set([...next.map((count) => count + 1), ...(isQuoted ? matchedCounts : [])]);
    }
    const hasAllDice = matchedCounts.has(dice.length) || (silent && matchedCounts.has(0));
    return hasAllDice && !STRANGE.test(removePlaces(sentence, [...quotations, ...diceFound]));
  }
}

/** All places of those texts in a sentence. @param {string} sentence @param {string[]} texts */
function placesIn(sentence, texts) {
  const places = [];
  for (const text of texts.flatMap(spellings)) {
    for (let from = sentence.indexOf(text); from >= 0; from = sentence.indexOf(text, from + 1))
      places.push({ from, to: from + text.length });
  }
  return places;
}

/** A text as sentences spell it: unchanged, without its full stop, or with a small first letter. @param {string} text */
const spellings = (text) =>
  [text, text.replace(/\.+$/, '')]
    .flatMap((spelling) => [spelling, spelling.slice(0, 1).toLowerCase() + spelling.slice(1)])
    .filter(Boolean);

/** @param {string} sentence @param {{ from: number, to: number }[]} places */
function removePlaces(sentence, places) {
  let [rest, at] = ['', 0];
  for (const { from, to } of places.sort((a, b) => a.from - b.from)) {
    rest += sentence.slice(at, Math.max(at, from));
    at = Math.max(at, to);
  }
  return rest + sentence.slice(at);
}
