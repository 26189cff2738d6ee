/**
 * The proof that the log in this page is what was written: every seal computed anew from the rows, and every drawn die
 * from the seed, where that was revealed. The form of rows, seals and dice is told in `docs/log.md`.
 */

import { fromHex, hmac, joined, sha256, toHex } from './sha256.js';

/** The seal before the first ruling. */
const FIRST = toHex(sha256(new TextEncoder().encode('mam-events')));
const SALTED = /^(Play|Correction|Note|RulingMended|RulingRejudged)\./;
const SEALED = /^\{"seal":"[0-9a-f]{64}/;
const DIE = /\{"key":"(\d+)\/([^"]*)","kind":"d(\d+)","face":(\d+),"source":"(\w+)"/g;

/** @typedef {{ version: number, ruling: number, topic: string, state: string, hash: string, seal: string }} Row */
/**
 * What was found: rulings and rows, hidden ones, dice that were drawn and those of them that the revealed seed gives;
 * `wrong` is the first ruling that is not what was sealed (0: none is), and `why` what is wrong with it.
 *
 * @typedef {{ rulings: number, rows: number, hidden: number, drawn: number, proven: number, seal: string, wrong: number, why: string }} Proof
 */

const PAUSE = 8;
const encoder = new TextEncoder();
/** @param {number} value */
const framed = (value) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
/** @param {Uint8Array} bytes */
const withLength = (bytes) => joined(framed(bytes.length), bytes);

/** A line of the export as a row; its state stays the very text that it is. One that is none has no number. @param {string} line @returns {Row} */
function rowOf(line) {
  try {
    return read(line);
  } catch {
    return { version: 0, ruling: 0, topic: '', state: '', hash: '', seal: '' };
  }
}

/** @param {string} line @returns {Row} */
function read(line) {
  const at = line.indexOf(',"state":');
  const { v, ruling = 0, topic = '', hash = '', seal = '' } = JSON.parse(at < 0 ? line : `${line.slice(0, at)}}`);
  return { version: v, ruling, topic, state: at < 0 ? '' : line.slice(at + 9, -1), hash, seal };
}

/** @param {Row} row @param {string} salt */
function rowHash({ version, ruling, topic, state }, salt) {
  const bare = ruling ? state.replace(SEALED, '{"seal":"') : state;
  const parts = [String(version), topic, bare].map((text) => withLength(encoder.encode(text)));
  if (!salt) return sha256(joined(...parts));
  const own = sha256(joined(fromHex(salt), encoder.encode(String(version)))).slice(0, 16);
  return sha256(joined(...parts, withLength(own)));
}

/**
 * Check the lines of an export; it pauses now and then, so that the page stays alive.
 *
 * @param {string[]} lines without the first and the last
 * @param {string} seal the newest, as the page tells it
 * @param {import('./types.js').Leaf[]} leaves all that the page tells of the rulings
 * @returns {Promise<Proof>}
 */
export async function proved(lines, seal, leaves) {
  const breath = breathing();
  /** @type {Row[]} */
  const rows = [];
  for (const line of lines) {
    rows.push(rowOf(line));
    await breath();
  }
  const found = { rulings: 0, rows: rows.length, hidden: 0, drawn: 0, proven: 0, seal: FIRST, wrong: 0, why: '' };
  let at = 0;
  while (at < rows.length) {
    const head = /** @type {Row} */ (rows[at]);
    let end = at + 1;
    while (end < rows.length && !rows[end]?.ruling) end += 1;
    const own = rows.slice(at, end);
    found.rulings += 1;
    if (head.ruling !== found.rulings || own.some((row, place) => row.version !== at + place + 1)) {
      return { ...found, wrong: found.rulings, why: 'a row or a ruling is missing, or out of its place' };
    }
    try {
      found.seal = toHex(sha256(joined(fromHex(found.seal), ...hashes(own))));
    } catch {
      return { ...found, wrong: found.rulings, why: 'it cannot be read' };
    }
    found.hidden += own.filter((row) => row.hash).length;
    if (found.seal !== sealOf(head)) return { ...found, wrong: found.rulings, why: 'it is not what was sealed' };
    at += own.length;
    await breath();
  }
  const told = Math.max(...leaves.map(({ frame }) => frame.number));
  if (found.rulings < told) return { ...found, wrong: found.rulings + 1, why: 'the log does not have it' };
  if (found.rulings > told) return { ...found, wrong: told + 1, why: 'this page does not tell of it' };
  if (found.seal !== seal) return { ...found, wrong: found.rulings, why: 'the log does not end with its seal' };
  const faces = facesOf(rows);
  const other = leaves.find((leaf) => !thrown(leaf, faces, found.hidden > 0));
  if (other) return { ...found, wrong: other.frame.number, why: 'this page tells other dice than the log' };
  return { ...found, ...(await dice(rows, breath)) };
}

/** Every face in the log, by the key of its die. @param {Row[]} rows */
function facesOf(rows) {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const { state } of rows) {
    for (const [, number, slot, sides, face, source] of state.matchAll(DIE)) {
      const key = `${number}/${slot}`;
      found.set(key, (found.get(key) ?? new Set()).add(`d${sides} ${face} ${source}`));
    }
  }
  return found;
}

/**
 * True if the dice that a leaf tells are in the log; of what lies in hidden rows nobody can say.
 *
 * @param {import('./types.js').Leaf} leaf @param {Map<string, Set<string>>} faces @param {boolean} hidden
 */
const thrown = ({ rolls }, faces, hidden) =>
  (rolls ?? []).every(({ key, kind, face, source }) => {
    const known = faces.get(key);
    return !kind || (known ? known.has(`${kind} ${face} ${source}`) : hidden);
  });

/** @param {Row} head */
const sealOf = (head) => head.seal || (/^\{"seal":"([0-9a-f]{64})/.exec(head.state)?.[1] ?? '');

/** The hashes of the rows of one ruling. @param {Row[]} rows */
function hashes(rows) {
  let salt = '';
  return rows.map((row) => {
    if (row.hash) return fromHex(row.hash);
    if (SALTED.test(row.topic)) salt = JSON.parse(row.state).salt ?? '';
    return rowHash(row, salt);
  });
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

/** The drawn dice, and how many of them the revealed seeds give. @param {Row[]} rows @param {() => Promise<void>} breath */
async function dice(rows, breath) {
  /** @type {Map<string, number>} */
  const drawn = new Map();
  /** @type {[number, string][]} */
  const words = [];
  const seeds = [];
  let ruling = 0;
  for (const { ruling: begun, topic, state } of rows) {
    ruling = begun || ruling;
    for (const [, number, slot, sides, face, source] of state.matchAll(DIE))
      if (source === 'drawn') drawn.set(`${number}/${slot}`, Number(face) * 1000 + Number(sides));
    if (/^(EncounterClosed|Branch)\./.test(topic)) seeds.push(JSON.parse(state).seed ?? '');
    if (topic.startsWith('Play.') && state.includes('"word"')) {
      const { word = '' } = JSON.parse(state).command;
      if (word) words.push([ruling, word]);
    }
    await breath();
  }
  const known = seeds.filter(Boolean).map(fromHex);
  let proven = 0;
  for (const [key, value] of drawn) {
    const [face, sides] = [Math.floor(value / 1000), value % 1000];
    const said = words.filter(([number]) => number <= Number(key.split('/', 1)[0])).map(([, word]) => word);
    if (known.some((seed) => draw(seed, said, key, sides) === face)) proven += 1;
    await breath();
  }
  return { drawn: drawn.size, proven };
}

/** The face that a seed gives. @param {Uint8Array} seed @param {string[]} words @param {string} key @param {number} sides */
function draw(seed, words, key, sides) {
  const message = joined(...words.map((word) => withLength(encoder.encode(word))), encoder.encode(key));
  const limit = 256 - (256 % sides);
  for (let stream = hmac(seed, message); ; stream = hmac(seed, joined(stream, message))) {
    const byte = stream.find((one) => one < limit);
    if (byte !== undefined) return (byte % sides) + 1;
  }
}
