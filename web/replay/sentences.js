/** The dice in the sentences of a page: those of the log in their order, and no sign that only looks like one. */

import { isJudged } from './rows.js';
import { SOURCES } from './text.js';

/** @typedef {import('./rows.js').Ruling} Ruling */
/** @typedef {{ face: number, source: string }} Face */
/** What a ruling says in words of people, and the rulings that it speaks of. @typedef {{ texts: Set<string>, about: Set<number> }} Writing */

/** A die in a line, `[6*]`, and in a sentence, `6 (drawn)` or `12 on a d20 (drawn)`. */
const DIE = /\[(\d+)([*!?]?)\]|(\d+)(?: on a d\d+)? \((thrown|drawn|amended)\)/g;
/** Signs that may look like a part of a die, or like nothing; the program writes none of them but around a die. */
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

/** True if a text has what looks like a die, or a part of one. @param {string} text */
const isPeculiar = (text) => STRANGE.test(text) || text.search(DIE) >= 0;

/** True if a text has what looks like a die, or a digit that may. @param {string} text */
const isDie = (text) => text.search(DIE) >= 0 || /(?![0-9])\p{N}/u.test(text);

/** What people wrote in a log that a sentence may quote. */
export class Writings {
  /** @param {Ruling[]} rulings @param {string[]} others names of those who joined in what is hidden, by the page's word */
  constructor(rulings, others) {
    /** Names of people and things stand in any sentence. @type {Set<string>} */
    this.names = new Set(others.filter((name) => /\p{L}/u.test(name) && !isDie(name)));
    /** @type {Map<number, Writing>} */
    this.written = new Map();
    for (const { number, rows } of rulings) {
      let judged = number;
      for (const row of rows) {
        const { topic, said, ruling } = row;
        if (isJudged(row)) judged = said.ruling;
        // Whoever gives an order chooses its id, which no sentence tells.
        this.#gather(ruling ? { ...said, id: '' } : said, '', [number, judged]);
        for (const step of topic.startsWith('Correction.') ? said.steps : [])
          this.#gather(step.patch, '', [step.ruling]);
      }
    }
  }

  /** @param {number} number @returns {Writing} */
  #of(number) {
    const known = this.written.get(number) ?? { texts: new Set(), about: new Set() };
    this.written.set(number, known);
    return known;
  }

  /** @param {any} value @param {string} key @param {number[]} rulings those whose words these are */
  #gather(value, key, rulings) {
    if (typeof value === 'string' && isPeculiar(value)) {
      if (key === 'name') this.names.add(value);
      for (const one of rulings) this.#of(one).texts.add(value);
    } else if (typeof value === 'number' && RULINGS.includes(key)) {
      for (const one of rulings) this.#of(one).about.add(value);
    } else if (value && typeof value === 'object') {
      const named = Array.isArray(value) ? value.map((one) => [key, one]) : Object.entries(value);
      for (const [name, one] of named) this.#gather(one, name, rulings);
    }
  }

  /** The texts that a sentence about a ruling may quote: its own, those of rulings that it speaks of, and names. @param {number} number */
  quotable(number) {
    const found = new Set(this.names);
    const met = new Set([number]);
    for (const one of met) {
      const { texts, about } = this.#of(one);
      for (const text of texts) found.add(text);
      for (const other of about) met.add(other);
    }
    return [...found];
  }

  /**
   * True if a sentence about a ruling tells these dice, each once and in this order (`silent`: or none of them), and all
   * else in it that looks like a part of one is quoted.
   *
   * @param {number} number @param {string} sentence @param {Face[]} dice
   */
  allows(number, sentence, dice, silent = false) {
    const quoted = isPeculiar(sentence) ? placesIn(sentence, this.quotable(number)) : [];
    const found = [...sentence.matchAll(DIE)].map((one) => ({ from: one.index, to: one.index + one[0].length, one }));
    let told = new Set([0]);
    for (const { from, to, one } of found) {
      const [, face = one[3], sign = '', , source = SOURCES[sign]] = one;
      const within = quoted.some((place) => place.from <= from && to <= place.to);
      // Somebody may have written what looks like the next die.
      const next = [...told].filter((count) => dice[count]?.face === Number(face) && dice[count].source === source);
      told = new Set([...next.map((count) => count + 1), ...(within ? told : [])]);
    }
    const whole = told.has(dice.length) || (silent && told.has(0));
    return whole && !STRANGE.test(without(sentence, [...quoted, ...found]));
  }
}

/** Every place in a sentence at which it has one of those texts. @param {string} sentence @param {string[]} texts */
function placesIn(sentence, texts) {
  const found = [];
  for (const text of texts.flatMap(spellings)) {
    for (let from = sentence.indexOf(text); from >= 0; from = sentence.indexOf(text, from + 1))
      found.push({ from, to: from + text.length });
  }
  return found;
}

/** A text as a sentence has it: whole, without its full stop, or in small letters after another part. @param {string} text */
const spellings = (text) =>
  [text, text.replace(/\.+$/, '')]
    .flatMap((one) => [one, one.slice(0, 1).toLowerCase() + one.slice(1)])
    .filter(Boolean);

/** @param {string} sentence @param {{ from: number, to: number }[]} places */
function without(sentence, places) {
  let [rest, at] = ['', 0];
  for (const { from, to } of places.sort((one, other) => one.from - other.from)) {
    rest += sentence.slice(at, Math.max(at, from));
    at = Math.max(at, to);
  }
  return rest + sentence.slice(at);
}
