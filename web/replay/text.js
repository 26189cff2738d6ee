/** Text for this page: escaped, with curly apostrophes, a true minus, and drawings of dice in place of `[6]`. */

import { die } from './dice.js';

/** @param {unknown} text */
export const typeset = (text) =>
  String(text)
    .replace(/([\p{L}\p{N}_])'/gu, '$1’')
    .replace(/(^|[\s(])-(\d)/g, '$1−$2');

/** The blocks of right-to-left letters, as in `web/pages/markup.py`. */
const RIGHT_TO_LEFT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
const RUN = new RegExp(`[${RIGHT_TO_LEFT}](?:(?:[ ’'"-]|\\u200c|\\u200d|&#3[49];)?[${RIGHT_TO_LEFT}])*`, 'gu');

/** Text for an attribute or a drawing. @param {unknown} text */
export const attribute = (text) => typeset(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Text for a sentence, with right-to-left parts isolated from their surroundings. @param {unknown} text */
export const escapeHtml = (text) => attribute(text).replace(RUN, '<bdi>$&</bdi>');

/** The same for plain text. @param {string} text */
export const isolate = (text) => text.replace(RUN, '\u2068$&\u2069');

/** A number with its sign. @param {number} value */
export const withSign = (value) => (value < 0 ? `−${-value}` : `+${value}`);

const DIE_IN_LINE = /(wild |again |bought )?\[(\d+)([*!?]?)\](→\d+)?/g;
/** The source of a die's face, by its sign in the log. @type {Record<string, string>} */
export const SOURCES = { '': 'thrown', '*': 'drawn', '!': 'amended', '?': 'supposed' };

/** A line of the log, its dice drawn; a line without rolls has none, whatever somebody wrote. @param {import('./types.js').ReplayEntry | undefined} entry */
export const lineWords = (entry) => (entry?.rolls?.length ? withDice(lineOf(entry)) : escapeHtml(lineOf(entry)));

/** @param {import('./types.js').ReplayEntry | undefined} entry */
const lineOf = (entry) => entry?.line || entry?.lead || entry?.frame.sentence || '';

/** @param {string} line */
const withDice = (line) =>
  escapeHtml(line)
    .replace(DIE_IN_LINE, (_, role = '', face, sign, value = '') => {
      const label = `${role}${face}, ${SOURCES[sign]}`;
      return Number(face) > 6
        ? `${role}<b class="face">${face}</b>${value}`
        : inlineDie(Number(face), role, label) + value;
    })
    .replace(/ · ((?:half )?hit|miss|success|half success|failure)\b/g, ' · <b>$1</b>');

/** @param {number} face @param {string} role @param {string} label */
const inlineDie = (face, role, label) => {
  const wild = role === 'wild ';
  return `${wild ? '' : role}${die(face, { wild, solid: false, label, name: 'in-line' })}`;
};

/** The bookkeeping of a correction before a ruling: lines without a number. @param {{ bookkeeping?: string[] }} frame @param {string} [tag] */
export const bookkeepingHtml = ({ bookkeeping }, tag = 'p') =>
  (bookkeeping ?? []).map((words) => `<${tag} class="quiet">${escapeHtml(words)}</${tag}>`).join('');

/** The time of a ruling in the reader's time zone. @param {string | undefined} at */
export const clockTime = (at) =>
  at ? new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : '';

/** @param {number} count @param {string} what */
export const countWords = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** A share as a percentage. @param {number} share */
export const percent = (share) => `${Math.round(share * 100)} %`;

/** Numbers as a list; three or more in a row become a span: `6, 8 and 11 to 14`. @param {number[]} numbers */
export function joinNumbers(numbers) {
  /** @type {number[][]} */
  const spans = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else spans.push([number]);
  }
  const words = spans.flatMap((span) => (span.length > 2 ? [`${span[0]} to ${span.at(-1)}`] : span.map(String)));
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join('');
}
