/** The badge of a combatant: a shape for the side, a letter for the name. */

import { attribute } from './text.js';

/** @typedef {import('./types.js').Person} Person */

/** The outer and the inner outline of each side's shape: ring, lozenge, shield, hexagon. */
const SHAPES = [
  '<circle cx="18" cy="18" r="16.5" class="outer"/><circle cx="18" cy="18" r="14" class="inner"/>',
  '<path d="M18 .8L35.2 18 18 35.2.8 18z" class="outer"/><path d="M18 4.3L31.7 18 18 31.7 4.3 18z" class="inner"/>',
  '<path d="M3 2h30v17c0 8-7 13-15 16C10 32 3 27 3 19z" class="outer"/><path d="M6 5h24v14c0 6-5 10-12 13-7-3-12-7-12-13z" class="inner"/>',
  '<path d="M18 1l15 8.500v17L18 35 3 26.500v-17z" class="outer"/><path d="M18 4.500l12 6.800v13.400L18 31.500 6 24.700V11.300z" class="inner"/>',
];

/** Splits text into letters as people see them, which may be several code points: accents, flags. */
const LETTERS = new Intl.Segmenter();

/** @param {Person | undefined} person */
export function badge(person) {
  const [first] = LETTERS.segment(person?.name || '?');
  const letter = first?.segment ?? '?';
  const shape = SHAPES[(person?.place ?? 0) % SHAPES.length];
  return `<svg class="badge" viewBox="0 0 36 36" aria-hidden="true">${shape}<text x="18" y="24">${attribute(letter.toUpperCase())}</text></svg>`;
}
