/** Text as this page sets it: escaped, with curly apostrophes and a true minus, a drawn die in place of `[6]`. */

import { die } from './dice.js';

/** @param {unknown} text */
export const typeset = (text) =>
  String(text)
    .replace(/(\w)'/g, '$1’')
    .replace(/(^|[\s(])-(\d)/g, '$1−$2');

/** @param {unknown} text */
export const escaped = (text) => typeset(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A number with its sign. @param {number} value */
export const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);

const ROLLED = /(wild |again |bought )?\[(\d+)([*!?]?)\](→\d+)?/g;
/** How a die came to its face, by its sign in the log. @type {Record<string, string>} */
const SOURCES = { '': 'thrown', '*': 'drawn', '!': 'amended', '?': 'supposed' };

/** A line of the log, its dice drawn; a line without rolls has none, whatever somebody wrote. @param {import('./types.js').Leaf | undefined} leaf */
export const lineWords = (leaf) => (leaf?.rolls?.length ? diced(lineOf(leaf)) : escaped(lineOf(leaf)));

/** @param {import('./types.js').Leaf | undefined} leaf */
const lineOf = (leaf) => leaf?.line || leaf?.lead || leaf?.frame.sentence || '';

/** @param {string} line */
const diced = (line) =>
  escaped(line)
    .replace(ROLLED, (_, role = '', face, sign, value = '') => {
      const label = `${role}${face}, ${SOURCES[sign]}`;
      return Number(face) > 6
        ? `${role}<b class="face">${face}</b>${value}`
        : inline(Number(face), role, label) + value;
    })
    .replace(/ · ((?:half )?hit|miss|success|half success|failure)\b/g, ' · <b>$1</b>');

/** @param {number} face @param {string} role @param {string} label */
const inline = (face, role, label) => {
  const wild = role === 'wild ';
  return `${wild ? '' : role}${die(face, { wild, solid: false, label, name: 'in-line' })}`;
};

/** The bookkeeping that a correction did before a ruling: lines without a number. @param {{ bookkeeping?: string[] }} told @param {string} [tag] */
export const quiet = ({ bookkeeping }, tag = 'p') =>
  (bookkeeping ?? []).map((words) => `<${tag} class="quiet">${escaped(words)}</${tag}>`).join('');

/** The moment of day at which a ruling was given, as the reader's clock has it. @param {string | undefined} at */
export const clockTime = (at) =>
  at ? new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : '';

/** @param {number} count @param {string} what */
export const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** A share of one as hundreds. @param {number} share */
export const percent = (share) => `${Math.round(share * 100)} %`;
