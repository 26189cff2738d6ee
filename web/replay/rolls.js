/** The rolls in the rows of a log, and the check that the page shows exactly those. */

import { Fault, isJudged } from './rows.js';
import { Writings } from './sentences.js';

/** @typedef {import('./rows.js').Ruling} Ruling */
/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {{ key: string, kind: string, face: number, source: string, salt?: string }} Die */
/** @typedef {import('./types.js').ReplayPage} ReplayPage */
/** @typedef {import('./types.js').Modifier} Modifier */
/** @typedef {{ combatant: string, what: string, die: Die | null, modifiers: Modifier[], total: number }} LoggedRoll */
/** All names of each combatant in the log. @typedef {Map<string, string[]>} Names */

/** A die with nothing added to it. @param {Die} die @param {string} combatant @param {string} what @returns {LoggedRoll} */
const plainRoll = (die, combatant, what) => ({ combatant, what, die, modifiers: [], total: die.face });

/** The rolls in an event, in order. @param {{ topic: string, fields: any }} event @returns {LoggedRoll[]} */
export function rollsIn({ topic, fields }) {
  const { combatant = '', die, total, modifiers = [], confirmation, dice, roll, rolls } = fields;
  if (Array.isArray(rolls)) return rolls.flatMap((nested) => rollsIn({ topic: '', fields: nested }));
  if (roll && Array.isArray(roll.dice)) {
    const codeRoll = { combatant, what: roll.code, die: null, modifiers: roll.modifiers ?? [], total: roll.total };
    /** @type {{ die: Die, role: string }[]} */
    const codeDice = roll.dice;
    return [codeRoll, ...codeDice.map((codeDie) => plainRoll(codeDie.die, combatant, codeDie.role))];
  }
  if (Array.isArray(dice))
    return dice.map((initiativeDie) =>
      plainRoll(initiativeDie, /\/[^/.]*\.([^/]*)/.exec(initiativeDie.key)?.[1] ?? '', 'initiative'),
    );
  if (die === undefined) return [];
  if (total === undefined) return [plainRoll(die, combatant, 'armor')];
  const what = fields.what ?? /^(\w+)Rolled\./.exec(topic)?.[1]?.toLowerCase() ?? '';
  const mainRoll = { combatant, what, die, modifiers, total };
  return confirmation ? [mainRoll, plainRoll(confirmation, combatant, 'confirmation')] : [mainRoll];
}

/** The rolls of every outcome of each visible ruling, the first outcome first. @param {Ruling[]} rulings */
function outcomesOf(rulings) {
  /** @type {Map<number, LoggedRoll[][]>} */
  const outcomes = new Map();
  for (const { number, head, rows } of rulings) {
    /** @type {LoggedRoll[] | null} */
    let current = head.topic.startsWith('Play.') ? [] : null;
    if (current) outcomes.set(number, [current]);
    for (const row of rows.slice(1)) {
      if (row.hash || isJudged(row)) current = null;
      if (row.topic.startsWith('RulingRejudged.')) outcomes.get(row.fields.ruling)?.push((current = []));
      else if (!row.hash) current?.push(...rollsIn(row));
    }
  }
  return outcomes;
}

const NO_DIE = { key: '', kind: '', face: 0, source: '' };
/** The name on a page for a combatant hidden from its view. */
const HIDDEN_NAME = 'somebody hidden';

/** @param {Ruling[]} rulings @returns {Names} */
function namesIn(rulings) {
  /** @type {Names} */
  const names = new Map();
  for (const { topic, fields } of rulings.flatMap(({ rows }) => rows)) {
    if (!topic.startsWith('CombatantJoined.')) continue;
    const { id, name } = fields.combatant;
    names.set(id, [...(names.get(id) ?? []), name]);
  }
  return names;
}

/** True if the page names the combatant as the log does, which has no name for a hidden join. @param {{ combatant: string, name: string }} shownPerson @param {string} combatant @param {Names} names */
function isSameCombatant(shownPerson, combatant, names) {
  const knownNames = names.get(combatant);
  if (!knownNames && !shownPerson.combatant) return shownPerson.name === HIDDEN_NAME;
  return shownPerson.combatant === combatant && (!knownNames || knownNames.includes(shownPerson.name));
}

/** @param {Modifier} shownModifier @param {Modifier} [loggedModifier] */
const isSameModifier = (shownModifier, loggedModifier) =>
  shownModifier.value === loggedModifier?.value &&
  shownModifier.rule === loggedModifier.rule &&
  (shownModifier.name === loggedModifier.name || shownModifier.name.includes(HIDDEN_NAME));

/** True if an entry shows exactly that outcome. @param {ReplayEntry} entry @param {LoggedRoll[]} outcome @param {Names} names */
function showsOutcome({ duel, rolls: shownRolls = [] }, outcome, names) {
  return (
    shownRolls.length === outcome.length &&
    (duel?.parts ?? []).every(
      (part) =>
        isSameCombatant(part, part.combatant, names) &&
        (part.roll === undefined || shownRolls[part.roll]?.combatant === part.combatant),
    ) &&
    outcome.every(({ combatant, what, die, modifiers, total }, at) => {
      const roll = /** @type {import('./types.js').AuditRoll} */ (shownRolls[at]);
      const { key, kind, face, source } = die ?? NO_DIE;
      return (
        isSameCombatant(roll, combatant, names) &&
        roll.what === what &&
        roll.key === key &&
        roll.kind === kind &&
        roll.face === face &&
        roll.source === source &&
        roll.total === total &&
        roll.modifiers.length === modifiers.length &&
        roll.modifiers.every((modifier, index) => isSameModifier(modifier, modifiers[index]))
      );
    })
  );
}

/** True if the sentences of an entry have only the dice of that outcome. @param {ReplayEntry} entry @param {LoggedRoll[]} outcome @param {Writings} writings */
function hasOnlyDiceOf({ frame, line = '', lead = '', consequences = [] }, outcome, writings) {
  const dice = outcome.flatMap(({ die }) => die ?? []);
  const { number, sentence = '' } = frame;
  return (
    writings.allows(number, line, dice) &&
    [sentence, [lead, ...consequences].join('\n')].every((words) => writings.allows(number, words, dice, true))
  );
}

/** True if an entry shows only that it is hidden. @param {ReplayEntry} entry */
const isBlank = ({ frame, line, lead, consequences = [], rolls = [] }) =>
  Boolean(frame.hidden) && !(line || lead || frame.sentence || consequences.length || rolls.length);

/**
 * The rulings that cannot be compared with the log, because they are hidden there. Throws the Fault of the first ruling
 * that the page shows differently than the rows, or hides although they show it.
 *
 * @param {Ruling[]} rulings @param {Pick<ReplayPage, 'view' | 'people' | 'entries' | 'played'>} page
 */
export function unseenRulings(rulings, { view, people, entries, played }) {
  const newest = byNumber(entries, rulings.length);
  const firstEntries = byNumber(played, rulings.length);
  const outcomes = outcomesOf(rulings);
  const names = namesIn(rulings);
  const others = Object.entries(people).flatMap(([id, { name }]) => (names.has(id) ? [] : [name]));
  const allowed = { names, writings: new Writings(rulings, others) };
  const renamedAllowed = allowedIfRenamed(rulings, people, names);
  /**
   * True if a hidden ruling must have caused the difference. Throws a Fault if none can have.
   *
   * @param {number} number @param {ReplayEntry} entry @param {ReplayEntry} first @param {LoggedRoll[][]} outcomeList
   */
  const isUnseen = (number, entry, first, [firstOutcome = [], ...laterOutcomes]) => {
    const firstFault = isBlank(first) ? '' : faultIn(first, firstOutcome, allowed);
    if (firstFault && (!renamedAllowed || faultIn(first, firstOutcome, renamedAllowed)))
      throw new Fault(number, firstFault);
    const outcome = laterOutcomes.at(-1) ?? firstOutcome;
    const fault = faultIn(entry, outcome, allowed);
    if (fault && !isVeiled(entry, rulings) && (!renamedAllowed || faultIn(entry, outcome, renamedAllowed)))
      throw new Fault(number, fault);
    return Boolean(firstFault || fault);
  };
  /** @type {number[]} */
  const unseenNumbers = [];
  for (const { number, head } of rulings) {
    const entry = newest.get(number);
    if (!entry) throw new Fault(number, 'this page does not show it');
    const first = firstEntries.get(number) ?? entry;
    if (head.hash) {
      // An amendment may have hidden or revealed it since it was written.
      if (!(isBlank(entry) && isBlank(first))) unseenNumbers.push(number);
      continue;
    }
    if (entry.frame.hidden || (first.frame.hidden && couldSee(view, head)))
      throw new Fault(number, 'this page hides it, but the log does not');
    if (isUnseen(number, entry, first, outcomes.get(number) ?? [])) unseenNumbers.push(number);
  }
  checkOrder(rulings, entries);
  return unseenNumbers;
}

/**
 * The allowed names and writings if hidden rulings may have renamed combatants; null if nothing is hidden.
 *
 * @param {Ruling[]} rulings @param {ReplayPage['people']} people @param {Names} names
 * @returns {{ names: Names, writings: Writings } | null}
 */
function allowedIfRenamed(rulings, people, names) {
  if (!rulings.some(isHidden)) return null;
  const takenNames = new Set([...names.values()].flat());
  /** @type {(id: string) => string[]} */
  const nameOf = (id) => (takenNames.has(people[id]?.name ?? '') ? [] : [people[id]?.name ?? '']);
  const allNames = new Map([...names].map(([id, knownNames]) => [id, [...knownNames, ...nameOf(id)]]));
  const pageNames = Object.values(people).map(({ name }) => name);
  return { names: allNames, writings: new Writings(rulings, pageNames) };
}

/** The fault in the outcome that an entry shows; "" if there is none. @param {ReplayEntry} entry @param {LoggedRoll[]} outcome @param {{ names: Names, writings: Writings }} allowed */
function faultIn(entry, outcome, { names, writings }) {
  if (!showsOutcome(entry, outcome, names)) return 'this page shows other dice than the log';
  return hasOnlyDiceOf(entry, outcome, writings) ? '' : 'a sentence on this page has another die than the log';
}

/** True if a view saw a ruling when it was written. @param {string} view @param {import('./rows.js').Row} head */
const couldSee = (view, { fields }) => view === 'gm' || ['public', view].includes(fields.visibility ?? 'public');

/** True if the last judgement of an entry may be hidden in the log, and a hidden ruling revealed it since. @param {ReplayEntry} entry @param {Ruling[]} rulings */
function isVeiled({ frame }, rulings) {
  const { number, rejudged_by: by = 0 } = frame;
  const { rows = [], rest = [] } = rulings[by - 1] ?? {};
  const isShown = rulings.slice(by - 1).some((ruling) => rejudges(ruling, number));
  const isRevealed = rulings.slice(by).some(({ head }) => head.hash);
  return by > number && !isShown && isRevealed && (rest.length > 0 || rows.some(({ hash }) => hash));
}

/** True if a ruling, or an outcome that it gave to others, is hidden. @param {Ruling} ruling */
const isHidden = ({ head, rows }) => Boolean(head.hash) || rows.some(({ hash }) => hash);

/** True if a ruling contains a new outcome of the other one. @param {Ruling} ruling @param {number} other */
const rejudges = ({ rows }, other) =>
  rows.some(({ topic, fields }) => topic.startsWith('RulingRejudged.') && fields.ruling === other);

/** Entries by number; throws a Fault for one that the log does not have, or that occurs twice. @param {ReplayEntry[]} entries @param {number} last */
function byNumber(entries, last) {
  /** @type {Map<number, ReplayEntry>} */
  const entriesByNumber = new Map();
  for (const entry of entries) {
    const { number } = entry.frame;
    if (!(Number.isInteger(number) && number > 0 && number <= last))
      throw new Fault(last + 1, 'the log does not have it');
    if (entriesByNumber.has(number)) throw new Fault(number, 'this page shows it twice');
    entriesByNumber.set(number, entry);
  }
  return entriesByNumber;
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
  const after = (/** @type {number} */ number) => rulings[number - 1]?.head.fields.after ?? 0;
  for (const { number, head } of rulings) {
    if (!head.topic.startsWith('Play.')) continue;
    const anchor = after(number);
    let at = plays.length;
    if (anchor) {
      const insertedNumbers = new Set([anchor]);
      at = plays.indexOf(anchor) + 1 || placeShown(number, entries, plays);
      for (; insertedNumbers.has(after(plays[at] ?? 0)); at += 1)
        insertedNumbers.add(/** @type {number} */ (plays[at]));
    }
    plays.splice(at, 0, number);
  }
  const places = new Map(plays.map((number, at) => [number, at]));
  let newest = 0;
  const placements = rulings.map(({ number }) => {
    const place = places.get(number) ?? newest;
    newest = Math.max(newest, place);
    return { number, place };
  });
  return placements.sort((a, b) => a.place - b.place).map(({ number }) => number);
}

/** The place of an insert after a hidden ruling, which only the page shows. @param {number} number @param {ReplayEntry[]} entries @param {number[]} plays the earlier ones */
function placeShown(number, entries, plays) {
  const at = entries.findIndex(({ frame }) => frame.number === number);
  const before = entries.slice(0, at).findLast(({ frame }) => plays.includes(frame.number));
  return before ? plays.indexOf(before.frame.number) + 1 : 0;
}
