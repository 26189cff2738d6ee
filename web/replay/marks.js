/** The sign for what a ruling did or what became of it, recognizable without its colour. */

/** @typedef {import('./types.js').Frame} Frame */

/** The words for each sign, in the order of the dialog of keys and signs. @type {Record<string, string>} */
export const SIGNS = {
  hit: 'hit',
  miss: 'miss',
  fall: 'somebody goes down',
  struck: 'undone',
  void: 'void: no longer possible',
  changed: 'changed',
  correction: 'a correction',
  dispute: 'disputed',
  ruling: 'the game master’s word',
  rules: 'the rules were changed',
};

/** @param {string} sign @param {string} [name] @param {string} [style] */
export const mark = (sign, name = 'mark', style = '') =>
  sign
    ? `<svg class="${name}" role="img" aria-label="${SIGNS[sign]}"${style ? ` data-style="${style}"` : ''}><use href="#sign-${sign}"/></svg>`
    : `<i class="${name}"></i>`;

/** The sign for the outcome of a ruling. @param {Frame} frame */
export function outcomeSign(frame) {
  const ticks = frame.ticks ?? [];
  if (ticks.includes('fall') || ticks.includes('death')) return 'fall';
  return ['hit', 'miss'].find((sign) => ticks.includes(sign)) ?? '';
}

/** The sign for what became of a ruling. @param {Frame} frame */
export function statusSign(frame) {
  if (frame.struck || frame.restored_by) return 'struck';
  if (frame.void) return 'void';
  if (frame.kind === 'correction') return 'correction';
  if (frame.do === 'dispute' || frame.disputed_by?.length) return 'dispute';
  if (changedBy(frame) || frame.amended) return 'changed';
  if (frame.ticks?.includes('ruling')) return 'ruling';
  return frame.do === 'change-rules' ? 'rules' : '';
}

/** The correction that changed a ruling last, according to its marks; 0 if none did. @param {Frame} frame */
export const changedBy = (frame) =>
  Number(/^~.* (\d+)$/.exec(frame.marks?.findLast((text) => text.startsWith('~')) ?? '')?.[1] ?? 0);

/** True if a ruling does not count. @param {Frame} frame */
export const isGhosted = (frame) => Boolean(frame.struck || frame.void || frame.restored_by);
