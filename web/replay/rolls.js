/** The rolls in the rows of a log, and the check that the page shows exactly those. */

import { Fault, isJudged } from './rows.js';
import { Writings } from './sentences.js';

/** @typedef {import('./rows.js').Ruling} Ruling */
/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {{ key: string, kind: string, face: number, source: string, salt?: string }} Die */
/** @typedef {import('./types.js').ReplayPage} ReplayPage */
/** @typedef {import('./types.js').Modifier} Modifier */
/** @typedef {{ combatant: string, what: string, die: Die | null, modifiers: Modifier[], total: number }} Rolled */
/** All names of each combatant in the log. @typedef {Map<string, string[]>} Names */

/** A die with nothing added to it. @param {Die} die @param {string} combatant @param {string} what @returns {Rolled} */
const bare = (die, combatant, what) => ({ combatant, what, die, modifiers: [], total: die.face });

/** The rolls in an event, in order. @param {{ topic: string, said: any }} event @returns {Rolled[]} */
export function rollsIn({ topic, said }) {
  const { combatant = '', die, total, modifiers = [], confirmation, dice, roll, rolls } = said;
  if (Array.isArray(rolls)) return rolls.flatMap((one) => rollsIn({ topic: '', said: one }));
  if (roll && Array.isArray(roll.dice)) {
    const whole = { combatant, what: roll.code, die: null, modifiers: roll.modifiers ?? [], total: roll.total };
    /** @type {{ die: Die, role: string }[]} */
    const thrown = roll.dice;
    return [whole, ...thrown.map((one) => bare(one.die, combatant, one.role))];
  }
  if (Array.isArray(dice))
    return dice.map((one) => bare(one, /\/[^/.]*\.([^/]*)/.exec(one.key)?.[1] ?? '', 'initiative'));
  if (die === undefined) return [];
  if (total === undefined) return [bare(die, combatant, 'armor')];
  const what = said.what ?? /^(\w+)Rolled\./.exec(topic)?.[1]?.toLowerCase() ?? '';
  const first = { combatant, what, die, modifiers, total };
  return confirmation ? [first, bare(confirmation, combatant, 'confirmation')] : [first];
}

/** The rolls of every outcome of each visible ruling, the first outcome first. @param {Ruling[]} rulings */
function outcomesOf(rulings) {
  /** @type {Map<number, Rolled[][]>} */
  const found = new Map();
  for (const { number, head, rows } of rulings) {
    /** @type {Rolled[] | null} */
    let now = head.topic.startsWith('Play.') ? [] : null;
    if (now) found.set(number, [now]);
    for (const row of rows.slice(1)) {
      if (row.hash || isJudged(row)) now = null;
      if (row.topic.startsWith('RulingRejudged.')) found.get(row.said.ruling)?.push((now = []));
      else if (!row.hash) now?.push(...rollsIn(row));
    }
  }
  return found;
}

const NONE = { key: '', kind: '', face: 0, source: '' };
/** The name on a page for a combatant hidden from its view. */
const UNSEEN = 'somebody hidden';

/** @param {Ruling[]} rulings @returns {Names} */
function namesIn(rulings) {
  /** @type {Names} */
  const found = new Map();
  for (const { topic, said } of rulings.flatMap(({ rows }) => rows)) {
    if (!topic.startsWith('CombatantJoined.')) continue;
    const { id, name } = said.combatant;
    found.set(id, [...(found.get(id) ?? []), name]);
  }
  return found;
}

/** True if the page names the combatant as the log does, which has no name for a hidden join. @param {{ combatant: string, name: string }} shown @param {string} combatant @param {Names} names */
function isOf(shown, combatant, names) {
  const known = names.get(combatant);
  if (!known && !shown.combatant) return shown.name === UNSEEN;
  return shown.combatant === combatant && (!known || known.includes(shown.name));
}

/** @param {Modifier} shown @param {Modifier} [one] */
const isModifier = (shown, one) =>
  shown.value === one?.value && shown.rule === one.rule && (shown.name === one.name || shown.name.includes(UNSEEN));

/** True if an entry shows exactly that outcome. @param {ReplayEntry} entry @param {Rolled[]} outcome @param {Names} names */
function tells({ duel, rolls: told = [] }, outcome, names) {
  return (
    told.length === outcome.length &&
    (duel?.parts ?? []).every(
      (part) =>
        isOf(part, part.combatant, names) && (part.roll === undefined || told[part.roll]?.combatant === part.combatant),
    ) &&
    outcome.every(({ combatant, what, die, modifiers, total }, at) => {
      const one = /** @type {import('./types.js').Roll} */ (told[at]);
      const { key, kind, face, source } = die ?? NONE;
      return (
        isOf(one, combatant, names) &&
        one.what === what &&
        one.key === key &&
        one.kind === kind &&
        one.face === face &&
        one.source === source &&
        one.total === total &&
        one.modifiers.length === modifiers.length &&
        one.modifiers.every((shown, index) => isModifier(shown, modifiers[index]))
      );
    })
  );
}

/** True if the sentences of an entry have only the dice of that outcome. @param {ReplayEntry} entry @param {Rolled[]} outcome @param {Writings} writings */
function speaks({ frame, line = '', lead = '', then = [] }, outcome, writings) {
  const dice = outcome.flatMap(({ die }) => die ?? []);
  const { number, sentence = '' } = frame;
  return (
    writings.allows(number, line, dice) &&
    [sentence, [lead, ...then].join('\n')].every((words) => writings.allows(number, words, dice, true))
  );
}

/** True if an entry shows only that it is hidden. @param {ReplayEntry} entry */
const isBlank = ({ frame, line, lead, then = [], rolls = [] }) =>
  Boolean(frame.hidden) && !(line || lead || frame.sentence || then.length || rolls.length);

/**
 * The rulings that cannot be compared with the log, because they are hidden there. Throws the Fault of the first ruling
 * that the page shows differently than the rows, or hides although they show it.
 *
 * @param {Ruling[]} rulings @param {Pick<ReplayPage, 'view' | 'people' | 'entries' | 'played'>} page
 */
export function unseenRulings(rulings, { view, people, entries, played }) {
  const newest = byNumber(entries, rulings.length);
  const given = byNumber(played, rulings.length);
  const outcomes = outcomesOf(rulings);
  const names = namesIn(rulings);
  const others = Object.entries(people).flatMap(([id, { name }]) => (names.has(id) ? [] : [name]));
  const shows = { names, writings: new Writings(rulings, others) };
  const renamed = renamedIn(rulings, people, names);
  /**
   * True if a hidden ruling must have caused the difference. Throws a Fault if none can have.
   *
   * @param {number} number @param {ReplayEntry} entry @param {ReplayEntry} first @param {Rolled[][]} found
   */
  const isUnseen = (number, entry, first, [asGiven = [], ...since]) => {
    const wasFault = isBlank(first) ? '' : faultIn(first, asGiven, shows);
    if (wasFault && (!renamed || faultIn(first, asGiven, renamed))) throw new Fault(number, wasFault);
    const outcome = since.at(-1) ?? asGiven;
    const isFault = faultIn(entry, outcome, shows);
    if (isFault && !isVeiled(entry, rulings) && (!renamed || faultIn(entry, outcome, renamed)))
      throw new Fault(number, isFault);
    return Boolean(wasFault || isFault);
  };
  /** @type {number[]} */
  const unseen = [];
  for (const { number, head } of rulings) {
    const entry = newest.get(number);
    if (!entry) throw new Fault(number, 'this page does not show it');
    const first = given.get(number) ?? entry;
    if (head.hash) {
      // An amendment may have hidden or revealed it since it was written.
      if (!(isBlank(entry) && isBlank(first))) unseen.push(number);
      continue;
    }
    if (entry.frame.hidden || (first.frame.hidden && sees(view, head)))
      throw new Fault(number, 'this page hides it, but the log does not');
    if (isUnseen(number, entry, first, outcomes.get(number) ?? [])) unseen.push(number);
  }
  checkOrder(rulings, entries);
  return unseen;
}

/**
 * The allowed names and writings if hidden rulings may have renamed combatants; null if nothing is hidden.
 *
 * @param {Ruling[]} rulings @param {ReplayPage['people']} people @param {Names} names
 * @returns {{ names: Names, writings: Writings } | null}
 */
function renamedIn(rulings, people, names) {
  if (!rulings.some(isHidden)) return null;
  const taken = new Set([...names.values()].flat());
  /** @type {(id: string) => string[]} */
  const nameOf = (id) => (taken.has(people[id]?.name ?? '') ? [] : [people[id]?.name ?? '']);
  const called = new Map([...names].map(([id, known]) => [id, [...known, ...nameOf(id)]]));
  const now = Object.values(people).map(({ name }) => name);
  return { names: called, writings: new Writings(rulings, now) };
}

/** The fault in the outcome that an entry shows; "" if there is none. @param {ReplayEntry} entry @param {Rolled[]} outcome @param {{ names: Names, writings: Writings }} shows */
function faultIn(entry, outcome, { names, writings }) {
  if (!tells(entry, outcome, names)) return 'this page shows other dice than the log';
  return speaks(entry, outcome, writings) ? '' : 'a sentence on this page has another die than the log';
}

/** True if a view saw a ruling when it was written. @param {string} view @param {import('./rows.js').Row} head */
const sees = (view, { said }) => view === 'gm' || ['public', view].includes(said.visibility ?? 'public');

/** True if the last judgement of an entry may be hidden in the log, and a hidden ruling revealed it since. @param {ReplayEntry} entry @param {Ruling[]} rulings */
function isVeiled({ frame }, rulings) {
  const { number, rejudged_by: by = 0 } = frame;
  const { rows = [], rest = [] } = rulings[by - 1] ?? {};
  const shown = rulings.slice(by - 1).some((ruling) => rejudges(ruling, number));
  const revealed = rulings.slice(by).some(({ head }) => head.hash);
  return by > number && !shown && revealed && (rest.length > 0 || rows.some(({ hash }) => hash));
}

/** True if a ruling, or an outcome that it gave to others, is hidden. @param {Ruling} ruling */
const isHidden = ({ head, rows }) => Boolean(head.hash) || rows.some(({ hash }) => hash);

/** True if a ruling contains a new outcome of the other one. @param {Ruling} ruling @param {number} other */
const rejudges = ({ rows }, other) =>
  rows.some(({ topic, said }) => topic.startsWith('RulingRejudged.') && said.ruling === other);

/** Entries by number; throws a Fault for one that the log does not have, or that occurs twice. @param {ReplayEntry[]} entries @param {number} last */
function byNumber(entries, last) {
  /** @type {Map<number, ReplayEntry>} */
  const found = new Map();
  for (const entry of entries) {
    const { number } = entry.frame;
    if (!(Number.isInteger(number) && number > 0 && number <= last))
      throw new Fault(last + 1, 'the log does not have it');
    if (found.has(number)) throw new Fault(number, 'this page shows it twice');
    found.set(number, entry);
  }
  return found;
}

/** Throw a Fault for an entry that is not at the place where its ruling happened. @param {Ruling[]} rulings @param {ReplayEntry[]} entries */
function checkOrder(rulings, entries) {
  const order = orderOf(rulings, entries);
  entries.forEach(({ frame }, at) => {
    if (frame.number !== order[at]) throw new Fault(frame.number, 'it is in the wrong place on this page');
  });
}

/**
 * The numbers of all rulings in the order in which they happened, as `mam_events/history/timeline/timeline.py` has it: plays by
 * number, an insert after its anchor and after earlier inserts there; a remark or a hidden ruling after the last moment
 * played by then.
 *
 * @param {Ruling[]} rulings @param {ReplayEntry[]} entries
 */
function orderOf(rulings, entries) {
  /** @type {number[]} */
  const plays = [];
  const after = (/** @type {number} */ number) => rulings[number - 1]?.head.said.after ?? 0;
  for (const { number, head } of rulings) {
    if (!head.topic.startsWith('Play.')) continue;
    const anchor = after(number);
    let at = plays.length;
    if (anchor) {
      const inserted = new Set([anchor]);
      at = plays.indexOf(anchor) + 1 || placeShown(number, entries, plays);
      for (; inserted.has(after(plays[at] ?? 0)); at += 1) inserted.add(/** @type {number} */ (plays[at]));
    }
    plays.splice(at, 0, number);
  }
  const places = new Map(plays.map((number, at) => [number, at]));
  let newest = 0;
  const standing = rulings.map(({ number }) => {
    const place = places.get(number) ?? newest;
    newest = Math.max(newest, place);
    return { number, place };
  });
  return standing.sort((one, other) => one.place - other.place).map(({ number }) => number);
}

/** The place of an insert after a hidden ruling, which only the page shows. @param {number} number @param {ReplayEntry[]} entries @param {number[]} plays the earlier ones */
function placeShown(number, entries, plays) {
  const at = entries.findIndex(({ frame }) => frame.number === number);
  const before = entries.slice(0, at).findLast(({ frame }) => plays.includes(frame.number));
  return before ? plays.indexOf(before.frame.number) + 1 : 0;
}
