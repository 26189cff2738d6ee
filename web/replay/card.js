/** The card of the current ruling: the sentence, author and time, the exchange, its result. */

import { Part } from './reader.js';
import { badge } from './badges.js';
import { die } from './dice.js';
import { changedBy, isGhosted } from './marks.js';
import { inPool, point, poolsOf } from './points.js';
import { resultCard } from './result.js';
import { attribute, clockTime, escapeHtml, lineWords, percent, bookkeepingHtml, withSign } from './text.js';

/** @typedef {import('./types.js').ReplayEntry} ReplayEntry */
/** @typedef {import('./types.js').Frame} Frame */
/** @typedef {import('./types.js').AuditRoll} AuditRoll */
/** @typedef {import('./types.js').ReplayPage} ReplayPage */
/** @typedef {import('./types.js').Duel} Duel */
/** @typedef {import('./types.js').Judgement} Judgement */

const ARROW =
  '<svg class="arrow" viewBox="0 0 30 12" aria-hidden="true"><path d="M0 6h26M20 1l7 5-7 5" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>';
const RAPIER = '<svg><use href="#hilt"/></svg><i></i>';
const rapier = (/** @type {string} */ more = '') => `<div class="rapier ${more}" aria-hidden="true">${RAPIER}</div>`;
/** The circle of old fencing books, drawn behind a moment without dice. */
const CIRCLE =
  '<svg class="water" viewBox="50 0 100 100" aria-hidden="true" fill="none"><circle cx="100" cy="50" r="48"/><circle cx="100" cy="50" r="44"/><path d="M69 19h62v62H69zM100 2v96M52 50h96M69 19l62 62M131 19l-62 62M100 2L52 50l48 48 48-48zM100 2L69 81M100 2l31 79M100 98L69 19M100 98l31-79"/></svg>';

/** A number that leads to its ruling. @param {number} number */
export const ref = (number) => `<button class="ref" data-to="${number}">№ ${number}</button>`;

export class MamCard extends Part {
  show() {
    const { entry, page } = this.reader;
    const { frame } = entry;
    if (this.reader.atResult && this.reader.result) {
      this.className = 'card';
      this.innerHTML = resultCard(this.reader, this.reader.result);
      return;
    }
    this.className = isGhosted(frame) ? 'card ghosted' : 'card';
    if (frame.hidden) {
      this.innerHTML = `${head(frame, page)}<h2 class="headline short">This ruling is hidden from this view.</h2>`;
      return;
    }
    const lead = `<h2 class="headline short">${escapeHtml(entry.lead ?? frame.sentence ?? '')}</h2>`;
    this.innerHTML = head(frame, page) + bookkeepingBlock(frame) + lead + this.note(entry) + middle(entry, page);
    setInitials(this);
  }

  /** The note under the sentence: what became of the ruling. @param {ReplayEntry} entry */
  note({ frame }) {
    const { reader } = this;
    const linkNote = reader.reading === 'played' ? '' : this.#linkNote(frame.number);
    if (frame.struck) {
      const who = frame.struck.who ? ` by ${escapeHtml(frame.struck.who)}` : '';
      const why = frame.struck.why ? `: “${escapeHtml(frame.struck.why)}”` : '';
      return `${linkNote}<p class="note"><b>Undone</b>${who} in ${ref(frame.struck.by)}${why}. It no longer counts.</p>`;
    }
    if (frame.restored_by) return `<p class="note"><b>Itself undone</b> in ${ref(frame.restored_by)}.</p>`;
    if (frame.void) {
      const why = frame.marks?.find((words) => words.startsWith('✗'))?.replace(/^✗ void: /, '') ?? '';
      return `${linkNote}<p class="note"><b>Void</b> since ${ref(frame.rejudged_by ?? 0)}: ${escapeHtml(why)}.</p>`;
    }
    if (reader.reading === 'played') return this.correctionNote(frame.number);
    if (changedBy(frame)) {
      const firstEntry = reader.firstEntries.get(frame.number);
      const oldSentence = firstEntry && droppedSentence(firstEntry, reader.entry);
      const beforeHtml = oldSentence ? ` Was: <del>${escapeHtml(oldSentence)}</del>` : '';
      return `${linkNote}<p class="note changed"><b>Changed</b> by ${ref(changedBy(frame))}.${beforeHtml}</p>${disputeNote(frame)}`;
    }
    return linkNote + this.referenceNote(frame) + disputeNote(frame);
  }

  /** The ruling that a remark is about, and the answers to it. @param {Frame} frame */
  referenceNote({ about, answered_by: answers = [], decided_by: decision }) {
    const entry = about ? this.reader.newest.get(about) : undefined;
    const sentences = [];
    if (about) sentences.push(`About ${ref(about)}${entry?.line ? `: ${lineWords(entry)}` : ''}.`);
    if (answers.length) sentences.push(`Answered in ${answers.map(ref).join(', ')}.`);
    if (decision) sentences.push(`Decided in ${ref(decision)}.`);
    return sentences.length ? `<p class="note">${sentences.join(' ')}</p>` : '';
  }

  /** The correction of a ruling that the reading "As played" does not show. @param {number} number */
  correctionNote(number) {
    const now = this.reader.newest.get(number)?.frame;
    if (!now || now.hidden) return '';
    if (now.struck) return `<p class="note"><b>Corrected since</b> in ${ref(now.struck.by)}: undone.</p>`;
    if (now.restored_by) return `<p class="note"><b>Corrected since</b> in ${ref(now.restored_by)}: undone.</p>`;
    if (now.void) return `<p class="note"><b>Corrected since</b> in ${ref(now.rejudged_by ?? 0)}: void.</p>`;
    const by = changedBy(now);
    if (by) return `<p class="note"><b>Corrected since</b> in ${ref(by)}: changed.</p>`;
    const firstFrame = this.reader.firstEntries.get(number)?.frame;
    const pointsDiffer = firstFrame && JSON.stringify(firstFrame.after) !== JSON.stringify(now.after);
    return pointsDiffer ? '<p class="note"><b>Corrected since</b>: it stands, but points differ.</p>' : '';
  }

  /** The note that this ruling was corrected after the link to it was made. @param {number} number */
  #linkNote(number) {
    const version = this.reader.linkVersions.get(number);
    return version
      ? `<p class="note"><b>Corrected</b> since the link to it was made, at № ${version}: it may have read differently then.</p>`
      : '';
  }
}

/** @param {Frame} frame */
function disputeNote(frame) {
  if (!frame.disputed_by?.length) return '';
  return `<p class="note"><b>Disputed</b> in ${frame.disputed_by.map(ref).join(', ')}.</p>`;
}

/** The sentence that an entry had before and has no longer. @param {ReplayEntry} before @param {ReplayEntry} now */
function droppedSentence(before, now) {
  if (before.lead !== now.lead) return before.lead;
  return before.consequences?.find((sentence) => !now.consequences?.includes(sentence)) ?? '';
}

/** @param {Frame} frame @param {ReplayPage} page */
function head(frame, page) {
  const turnHtml = frame.acting ? ` · ${escapeHtml(page.people[frame.acting]?.name ?? '')}’s turn` : '';
  const when = frame.hidden ? '' : frame.round ? ` · round ${frame.round}${turnHtml}` : ' · before the fight';
  const by = [frame.by, clockTime(frame.at)].filter(Boolean).map(escapeHtml).join(', ');
  return `<p class="card-head label"><span><b>№ ${frame.number}</b>${when}</span><span>${by}</span></p>`;
}

/** The bookkeeping of a correction before this moment. @param {Frame} frame */
function bookkeepingBlock(frame) {
  const html = bookkeepingHtml(frame);
  return html ? `<div class="bookkeeping" aria-label="Before it" role="group">${html}</div>` : '';
}

/** @param {ReplayEntry} entry @param {ReplayPage} page */
function middle(entry, page) {
  const { frame } = entry;
  if (frame.kind === 'correction') return errata(entry);
  const movesHtml = moves(entry, page);
  if (entry.duel) return `${duel(entry, entry.duel, page)}<div class="below">${movesHtml}${odds(entry)}</div>`;
  const dice = entry.rolls?.length ? throws(entry) : '';
  const consequencesHtml =
    dice && entry.consequences?.length
      ? `<p class="consequences">${entry.consequences.map(escapeHtml).join(' ')}</p>`
      : '';
  const restHtml = `${windowOf(entry, page)}<div class="below">${movesHtml}${odds(entry)}</div>`;
  return dice || entry.window ? `${dice}${consequencesHtml}${restHtml}` : figure(entry, movesHtml, page);
}

/** Two opponents: their crests and dice, and a rapier that points from one to the other. @param {ReplayEntry} entry @param {Duel} duel @param {ReplayPage} page */
function duel(entry, { parts, outcome, verdict, terms, other_rolls: otherIndexes = [] }, page) {
  const ghost = isGhosted(entry.frame);
  const rolls = parts.map((side) => (side.roll === undefined ? undefined : entry.rolls?.[side.roll]));
  const who = parts.map(
    (side, at) =>
      `<div class="who ${at ? 'r' : 'l'}">${badge(page.people[side.combatant])}<span><span class="person-name">${escapeHtml(side.name)}</span><span class="label">${escapeHtml(side.does)}</span></span></div>`,
  );
  const dice = rolls.map((roll) =>
    roll?.kind
      ? die(roll.face, { ghost, label: attribute(`${roll.name}: ${roll.face}, ${roll.source}`) })
      : '<span></span>',
  );
  const winner = outcome === 'fail' ? 1 : 0;
  const sums = rolls.map((roll, at) => (roll ? sum(roll, entry, at ? 'right-sum' : 'left-sum', at !== winner) : ''));
  const word = ghost ? 'struck' : verdict;
  const otherRolls = otherIndexes.flatMap((at) => entry.rolls?.[at] ?? []);
  return `<div class="duel">${who.join('')}<div class="cross">${dice[0]}<div class="mid"><p class="verdict ${outcome === 'fail' ? 'miss' : ''}"><b class="caps">${escapeHtml(word)}</b></p>${rapier()}<p class="label">${(terms ?? []).map(escapeHtml).join('<br>')}</p></div>${dice[1]}</div>${sums.join('')}</div>${otherRolls.length ? throws(entry, otherRolls) : ''}`;
}

/** A column of addends with its total. @param {AuditRoll} roll @param {ReplayEntry} entry @param {string} side @param {boolean} lower */
function sum(roll, entry, side, lower) {
  const at = entry.rolls?.indexOf(roll) ?? 0;
  const row = (/** @type {string} */ number, /** @type {string} */ words, /** @type {string} */ name = '') =>
    `<button class="${name}" data-explanation="roll" data-roll="${at}"><span class="n">${number}</span><span class="w">${escapeHtml(words)}</span></button>`;
  const first = roll.kind
    ? row(String(roll.face), `die, ${roll.source}`)
    : row(String(roll.total - roll.modifiers.reduce((all, modifier) => all + modifier.value, 0)), 'fixed');
  const modifierRows = roll.modifiers.map((modifier) => row(withSign(modifier.value), modifier.name));
  return `<div class="sum ${side} ${lower ? 'lose' : ''}">${first}${modifierRows.join('')}${row(String(roll.total), roll.what, 'total')}</div>`;
}

/** Dice outside an exchange: of a check, of initiative, of a dice code. @param {ReplayEntry} entry @param {AuditRoll[]} [rolls] */
function throws(entry, rolls = entry.rolls ?? []) {
  const rows = /** @type {AuditRoll[][]} */ ([]);
  for (const roll of rolls) {
    const last = rows.at(-1);
    if (last && !last[0]?.kind && last[0]?.combatant === roll.combatant && roll.kind) last.push(roll);
    else rows.push([roll]);
  }
  const rowsHtml = rows.map(([first, ...dice]) => {
    if (!first) return '';
    const dieRolls = (dice.length ? dice : [first]).filter((roll) => roll.kind);
    const faces = dieRolls.map((roll) =>
      die(roll.face, {
        wild: roll.what === 'wild',
        ghost: isGhosted(entry.frame),
        label: attribute(`${roll.what}: ${roll.face}`),
      }),
    );
    const modifiers = first.modifiers
      .filter((modifier) => modifier.value)
      .map((modifier) => `${withSign(modifier.value)} ${escapeHtml(modifier.name)}`);
    const index = entry.rolls?.indexOf(first);
    return `<div class="throw"><span class="person-name">${escapeHtml(first.name)}</span><span class="label">${escapeHtml(first.what)}</span>${faces.join('')}<span class="label">${modifiers.join('<br>')}</span><button class="total" data-explanation="roll" data-roll="${index}"><span class="plus">=</span><span class="big">${first.total}</span></button></div>`;
  });
  return `<div class="throws-list">${rowsHtml.join('')}</div>`;
}

/** The window between an action and its result, with everybody who may interrupt. @param {ReplayEntry} entry @param {ReplayPage} page */
function windowOf({ window: open }, page) {
  if (!open) return '';
  const interrupters = open.interrupters.map(([who, how]) => {
    const person = page.people[who];
    return `<li>${badge(person)}<b>${escapeHtml(person?.name ?? who)}</b><span class="label">${escapeHtml(how)}</span></li>`;
  });
  const listHtml = interrupters.length
    ? `<ul>${interrupters.join('')}</ul>`
    : '<p class="label">Nobody has waited.</p>';
  return `<section class="window" aria-label="Interrupt window"><h3>Time to interrupt</h3><p>${escapeHtml(open.sentence)}</p>${listHtml}</section>`;
}

/** Points that moved, as counters. @param {ReplayEntry} entry @param {ReplayPage} page */
function moves({ frame, consequences }, page) {
  if (!frame.changed || frame.do === 'join') return '';
  const pools = poolsOf(page.counters);
  const rows = Object.entries(frame.changed).map(([id, changes]) => {
    const person = page.people[id];
    const name = person?.name ?? '';
    const counters = (/** @type {number} */ sign) =>
      pools
        .map((pool) => {
          const count = inPool(changes, pool) * sign;
          if (count <= 0) return '';
          const pointsHtml = count > 12 ? `${point(pool.letter)}<b>×${count}</b>` : point(pool.letter).repeat(count);
          return `<span class="g" aria-hidden="true">${pointsHtml}</span>`;
        })
        .join('');
    const words = pools
      .filter((pool) => inPool(changes, pool))
      .map((pool) => `${pool.name} ${inPool(changes, pool) > 0 ? 'plus' : 'minus'} ${Math.abs(inPool(changes, pool))}`);
    const sentences = consequences?.filter((sentence) => sentence.startsWith(name)) ?? [];
    const consequencesHtml = sentences.length
      ? `<p class="consequences">${sentences.map(escapeHtml).join(' ')}</p>`
      : '';
    return `<li>${badge(person)}<span class="person-name">${escapeHtml(name)}</span>${counters(-1)}${ARROW}${counters(1)}<span class="visually-hidden">${words.join(', ')}</span>${consequencesHtml}</li>`;
  });
  return `<ul class="moves" aria-label="Points that moved">${rows.join('')}</ul>`;
}

/** The odds before the dice fell. @param {ReplayEntry} entry */
function odds({ odds: bars, ways }) {
  if (!bars?.length) return '';
  const barsHtml = bars.map(({ subject, shares, needs }) => {
    const cells = shares.map(([outcome, , share]) => `<i class="${outcome}" data-style="flex:${share}"></i>`);
    const key = shares.map(([, words, share]) => `<span>${percent(share)} ${escapeHtml(words)}</span>`);
    const need = needs ? `: ${escapeHtml(needs)}` : '';
    return `<p class="label">${escapeHtml(subject)}${need}</p><div class="throws" aria-hidden="true">${cells.join('')}</div><p class="key label">${key.join('')}</p>`;
  });
  return `<div class="odds"><p class="label">Chances before the dice fell (${ways} throws)</p>${barsHtml.join('')}</div>`;
}

/** A moment without dice. @param {ReplayEntry} entry @param {string} movesHtml @param {ReplayPage} page */
function figure({ frame, consequences, duel: pair }, movesHtml, page) {
  const person = frame.acting ? page.people[frame.acting] : undefined;
  const badgeHtml = !movesHtml && !pair && person && !frame.about ? badge(person) : '';
  const consequencesHtml =
    !movesHtml && consequences?.length ? `<p class="consequences">${consequences.map(escapeHtml).join(' ')}</p>` : '';
  return `<div class="fig">${CIRCLE}<div class="on">${badgeHtml}${movesHtml}${consequencesHtml}</div></div>`;
}

/** The new verdict of a correction on one ruling. @param {Judgement} judgement */
function erratum({
  ruling,
  verdict: ownVerdict,
  why,
  differs: difference,
  bookkeeping,
  ends_elsewhere: endsElsewhere,
}) {
  const verdict = endsElsewhere ? 'stands' : ownVerdict;
  return `<li>${ref(ruling)}<b class="${verdict}">${escapeHtml(verdict)}</b><span>${bookkeepingHtml({ bookkeeping })}${escapeHtml(difference || why)}</span></li>`;
}

/** Rulings with the same change, in one line; three or more in a row become a span. @param {number[]} numbers @param {string} sentence */
function sameChangeHtml(numbers, sentence) {
  if (!numbers.length) return '';
  const spans = /** @type {number[][]} */ ([]);
  for (const ruling of numbers) {
    const last = spans.at(-1);
    if (last?.at(-1) === ruling - 1) last.push(ruling);
    else spans.push([ruling]);
  }
  const refs = spans.flatMap((span) => {
    const [first = 0, last = 0] = [span[0], span.at(-1)];
    return span.length > 2 ? `${ref(first)} to ${ref(last)}` : span.map(ref);
  });
  return `<p class="same-change">${refs.join(', ')}${escapeHtml(sentence)}.</p>`;
}

/** The card of a correction: its effect on the fight, then every ruling that it changed. @param {ReplayEntry} entry */
function errata({ verdicts, folds = [], reason, summary, consequences, lead }) {
  const foldedRulings = new Set(folds.flatMap(({ rulings }) => rulings));
  const carriedRulings = /** @type {number[]} */ ([]);
  const rows = /** @type {Judgement[]} */ ([]);
  for (const verdict of verdicts ?? []) {
    if (verdict.bookkeeping.length) rows.push(verdict);
    else if (foldedRulings.has(verdict.ruling)) continue;
    else if (verdict.verdict === 'carried') carriedRulings.push(verdict.ruling);
    else if (verdict.verdict !== 'stands') rows.push(verdict);
  }
  const foldedHtml =
    folds.map(({ rulings, says }) => sameChangeHtml(rulings, says)).join('') +
    sameChangeHtml(carriedRulings, ': other totals');
  const why = reason && !lead?.includes(reason) ? `<p class="note">“${escapeHtml(reason)}”</p>` : '';
  const items = (summary ?? []).map((words) => `<li>${escapeHtml(words)}</li>`);
  const summaryHtml = items.length ? `<ul class="summary" aria-label="What it did">${items.join('')}</ul>` : '';
  return `${why}${summaryHtml}<ol class="errata">${rows.map(erratum).join('')}</ol>${foldedHtml}${(consequences ?? []).map((words) => `<p class="consequences">${escapeHtml(words)}</p>`).join('')}`;
}

/** Give each sentence of two lines or more a large initial. @param {HTMLElement} card */
export function setInitials(card) {
  for (const headline of /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll('.headline'))) {
    headline.classList.add('short');
    // The initial is at the left, where a right-to-left name does not begin.
    if (headline.firstChild instanceof HTMLElement && headline.firstChild.matches('bdi')) continue;
    if (headline.offsetHeight > parseFloat(getComputedStyle(headline).fontSize) * 1.9)
      headline.classList.remove('short');
  }
}
