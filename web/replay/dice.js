/** Drawings of dice: a cube for the card, a face for a line. */

/** The positions of the pips of each face on a 3 × 3 grid. @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[1, 1]],
  2: [
    [0, 0],
    [2, 2],
  ],
  3: [
    [0, 0],
    [1, 1],
    [2, 2],
  ],
  4: [
    [0, 0],
    [2, 0],
    [0, 2],
    [2, 2],
  ],
  5: [
    [0, 0],
    [2, 0],
    [1, 1],
    [0, 2],
    [2, 2],
  ],
  6: [
    [0, 0],
    [0, 1],
    [0, 2],
    [2, 0],
    [2, 1],
    [2, 2],
  ],
};
const SIDES =
  '<path d="M6 22L20 6h74L80 22z" class="paper"/><path d="M6 22L20 6h74L80 22z" fill="url(#hatch-top)"/>' +
  '<path d="M80 22L94 6v74L80 96z" class="paper"/><path d="M80 22L94 6v74L80 96z" fill="url(#hatch-side)"/>' +
  '<path d="M6 22L20 6h74v74L80 96M80 22L94 6" class="edge" stroke-width="2.5" stroke-linejoin="round"/>';

/**
 * A die as a picture.
 *
 * @param {number} face 0 for a die without a face
 * @param {{ wild?: boolean, solid?: boolean, ghost?: boolean, label?: string, name?: string }} [how] `wild` is the die
 *   of its code that may explode, `solid` a cube, `ghost` one that no longer counts
 */
export function die(face, { wild = false, solid = true, ghost = false, label = `die ${face}`, name = 'die' } = {}) {
  const [x, y, w] = solid ? [6, 22, 74] : [8, 8, 84];
  const dashes = ghost ? ' stroke-dasharray="7 5"' : '';
  const square = `<rect x="${x}" y="${y}" width="${w}" height="${w}" rx="7" class="front" stroke-width="${solid ? 3 : 6}"${dashes}/>`;
  return (
    `<svg class="${name}${wild ? ' wild' : ''}${ghost ? ' ghost' : ''}" viewBox="0 0 100 100" role="img" aria-label="${label}">` +
    `${solid ? SIDES : ''}${square}${faceSvg(face, x, y, w, wild)}</svg>`
  );
}

/** @param {number} face @param {number} x @param {number} y @param {number} w @param {boolean} wild */
function faceSvg(face, x, y, w, wild) {
  const pips = PIPS[face];
  if (!pips) {
    return face ? `<text x="${x + w / 2}" y="${y + w * 0.68}" class="number">${face}</text>` : '';
  }
  const at = (/** @type {number} */ place, /** @type {number} */ from) => (from + w * (0.24 + place * 0.26)).toFixed(1);
  const r = (w * (wild ? 0.12 : 0.098)).toFixed(1);
  return pips
    .map(([a, b]) =>
      wild
        ? `<path d="M${at(a, x)} ${Number(at(b, y)) - Number(r)}l${r} ${r}-${r} ${r}-${r}-${r}z" class="pip"/>`
        : `<circle cx="${at(a, x)}" cy="${at(b, y)}" r="${r}" class="pip"/>`,
    )
    .join('');
}
