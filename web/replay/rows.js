/** The lines of an export as rows and rulings, and the chain of their seals; `docs/log.md` describes the format. */

import { fromHex, concatBytes, sha256, toHex } from './sha256.js';

/** The first ruling that fails the check, and why. */
export class Fault extends Error {
  /** @param {number} ruling @param {string} why */
  constructor(ruling, why) {
    super(why);
    this.ruling = ruling;
  }
}

/**
 * A line has a topic and a state, or the hash of a hidden row, or the hashes for the rest of a ruling: exactly one of
 * these, in this order, and nothing else.
 */
const LINE =
  /^\{(?:"rest":\["([0-9a-f]{64}(?:","[0-9a-f]{64})*)"\]|(?:"ruling":([1-9]\d{0,14}),)?(?:"topic":"(\w+\.\d+)","state":(\{.*\})|(?:"seal":"([0-9a-f]{64})",)?"hash":"([0-9a-f]{64})"))\}$/s;
const SEAL_FIELD = /^\{"seal":"([0-9a-f]{64})"/;
const BLINDING_FIELD = /,"blinding":"([0-9a-f]{32})"\}$/;
/** The number of hashes of outcomes is a multiple of this. */
const SLOTS = 8;
const HEAD_TOPIC = /^(Play|Correction|Note|Branch)\./;
const JUDGED_TOPIC = /^Ruling(Mended|Rejudged)\./;
const TEXT = /"(?:[^"\\]|\\.)*"(\s*:)?/gs;
const MISPLACED = 'a row or a ruling is missing or in the wrong place';
/** The seal before the first ruling. */
const FIRST_SEAL = toHex(sha256(new TextEncoder().encode('mam-events')));

/**
 * A row: `ruling` is 0 if no ruling begins with it, `fields` is its parsed state. A hidden row has a `hash` and no topic; a
 * row that stands for hidden outcomes has only `rest`. A ruling has its rows, and the hashes of its other outcomes.
 *
 * @typedef {{ ruling: number, topic: string, state: string, fields: any, hash: string, seal: string, rest: string[] }} Row
 * @typedef {{ number: number, head: Row, rows: Row[], rest: string[] }} Ruling
 */

const encoder = new TextEncoder();
/** @param {number} value */
const uint32Bytes = (value) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
/** @param {Uint8Array} bytes */
export const withLength = (bytes) => concatBytes(uint32Bytes(bytes.length), bytes);

/** A line as a row; null if it is invalid. @param {unknown} line @returns {Row | null} */
export function rowOf(line) {
  const match = LINE.exec(String(line));
  if (!match) return null;
  const [, restHashes = '', rulingText, topic = '', state = '', lineSeal = '', hash = ''] = match;
  const ruling = Number(rulingText ?? 0);
  const rest = restHashes ? restHashes.split('","') : [];
  const fields = topic ? parseState(state) : {};
  const seal = topic ? (SEAL_FIELD.exec(state)?.[1] ?? '') : lineSeal;
  if (!fields || (hash || ruling ? Boolean(seal) !== Boolean(ruling) : false)) return null;
  if (restHashes && ((rest.length + 1) % SLOTS || rest.join() !== [...rest].sort().join())) return null;
  return { ruling, topic, state, fields, hash, seal, rest };
}

/** A state as a value; null if it is no JSON, or has a field twice. @param {string} state @returns {any} */
function parseState(state) {
  try {
    const fields = JSON.parse(state);
    const fieldCount = [...state.matchAll(TEXT)].filter(([, colon]) => colon).length;
    return fieldCount === fieldsIn(fields) ? fields : null;
  } catch {
    return null;
  }
}

/** @param {any} value @returns {number} */
function fieldsIn(value) {
  if (!value || typeof value !== 'object') return 0;
  const inner = Object.values(value);
  return inner.reduce((sum, item) => sum + fieldsIn(item), Array.isArray(value) ? 0 : inner.length);
}

/** True for a row that begins a new outcome of an older ruling, or the bookkeeping before it. @param {Row} row */
export const isJudged = ({ topic }) => JUDGED_TOPIC.test(topic);

/** The rows as rulings; throws a Fault for a missing, surplus or misplaced row. @param {(Row | null)[]} rows */
export function rulingsOf(rows) {
  /** @type {Ruling[]} */
  const rulings = [];
  rows.forEach((row, at) => {
    const number = rulings.length + (row?.ruling || !at ? 1 : 0);
    if (!row) throw new Fault(number || 1, 'it has a line that no export contains');
    const current = rulings.at(-1);
    if (row.ruling ? row.ruling !== number : !current) throw new Fault(number, MISPLACED);
    if (current && !row.ruling && current.rest.length) throw new Fault(number, MISPLACED);
    if (row.ruling) rulings.push({ number, head: row, rows: [row], rest: [] });
    else if (row.rest.length) current?.rest.push(...row.rest);
    else current?.rows.push(row);
  });
  for (const ruling of rulings) {
    const { number, head, rows: ownRows } = ruling;
    if (!head.hash && head.fields.ruling !== number) throw new Fault(number, 'it has another number');
    if (ownRows.some((row) => !row.hash && HEAD_TOPIC.test(row.topic) !== Boolean(row.ruling)))
      throw new Fault(number, 'its lines do not belong together');
    const hidingMarks = [ruling.rest.length, blindingOf(head)].filter(Boolean).length;
    if (!head.hash && hidingMarks !== (judgesOthers(head) ? 1 : 0))
      throw new Fault(number, 'it does not hide the number of its outcomes');
  }
  return rulings;
}

/** True for a ruling that may give others new outcomes. @param {Row} head */
const judgesOthers = ({ topic, fields }) => topic.startsWith('Correction.') || Boolean(fields.after);
/** @param {Row} head */
const blindingOf = ({ state }) => BLINDING_FIELD.exec(state)?.[1] ?? '';

/** Add the seal of a ruling to the chain; throws a Fault if it does not match. @param {string} seal the previous one @param {Ruling} ruling */
export function nextSeal(seal, ruling) {
  const newSeal = toHex(sha256(concatBytes(fromHex(seal || FIRST_SEAL), hashOf(ruling))));
  if (newSeal !== ruling.head.seal) throw new Fault(ruling.number, 'it was altered after it was sealed');
  return newSeal;
}

/** The hash that the seal of a ruling covers. @param {Ruling} ruling */
function hashOf({ number, head, rows, rest }) {
  const blinding = rest.length ? '' : blindingOf(head);
  const hasOutcomes = Boolean(rest.length || blinding);
  /** @type {Row[][]} */
  const parts = [];
  for (const row of rows) {
    if (!parts.length || (hasOutcomes && (row.hash || isJudged(row)))) parts.push([row]);
    else parts.at(-1)?.push(row);
  }
  if (parts.some((part) => part.length > 1 && part.some((row) => row.hash)))
    throw new Fault(number, 'it hides only some rows, which this program never does');
  const [ownPart, ...outcomes] = parts.map((part) => ({
    seenBy: part[0]?.fields.visibility ?? 'public',
    hash: partHash(part),
  }));
  if (!ownPart) throw new Fault(number, MISPLACED);
  if (!hasOutcomes) return ownPart.hash;
  const slots = rest.length ? [seenHash(outcomes), ...rest.map(fromHex)] : slotsOf(outcomes, fromHex(blinding));
  const sorted = slots.map(toHex).sort().map(fromHex);
  return sha256(concatBytes(encoder.encode('both'), ownPart.hash, ...sorted));
}

/** @typedef {{ seenBy: string, hash: Uint8Array }} Outcome */

/** The hash of the rows of one head or of one new outcome. @param {Row[]} part */
function partHash(part) {
  const [lead] = part;
  if (lead?.hash) return fromHex(lead.hash);
  const texts = part.flatMap(({ ruling, topic, state }) => {
    const unsealed = ruling ? state.replace(SEAL_FIELD, '{"seal":""').replace(BLINDING_FIELD, '}') : state;
    return [topic, unsealed].map((text) => withLength(encoder.encode(text)));
  });
  return sha256(concatBytes(withLength(fromHex(lead?.fields.salt ?? '')), ...texts));
}

/** The hash of the outcomes visible to one view. @param {Outcome[]} outcomes */
const seenHash = (outcomes) => sha256(concatBytes(encoder.encode('seen'), ...outcomes.map(({ hash }) => hash)));

/** The hashes of the outcomes for each view, of all outcomes, and of padding. @param {Outcome[]} outcomes @param {Uint8Array} blinding */
function slotsOf(outcomes, blinding) {
  const views = new Set(['public', ...outcomes.map(({ seenBy }) => seenBy)]);
  views.delete('gm');
  const slots = [...views].map((view) =>
    seenHash(outcomes.filter(({ seenBy }) => seenBy === 'public' || seenBy === view)),
  );
  slots.push(sha256(concatBytes(encoder.encode('all '), blinding, ...outcomes.map(({ hash }) => hash))));
  for (let at = 0; slots.length % SLOTS; at += 1)
    slots.push(sha256(concatBytes(encoder.encode('none'), blinding, uint32Bytes(at))));
  return slots;
}
