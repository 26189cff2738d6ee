/** The start page: a link with a token after its # signs its reader in, and the page lists the fights of the token. */

/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * The answer to a call as JSON; throws an error with the service's sentence if it refuses.
 *
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
async function requestJson(path, options) {
  const response = await fetch(path, options);
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

/** @param {string} token */
async function enter(token) {
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ token }) };
  await requestJson('/session', request);
}

/**
 * A fight with its id: a branch and an import have the title of the fight that they come from.
 *
 * @typedef {{title: string, status: string, round: number, rulings: number, branch_of: string, behind: number}} About
 * @param {{encounter: string, about: About}} fight
 */
function line(fight) {
  const { encounter, about } = fight;
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `/encounters/${encounter}/replay.html`;
  link.textContent = about.title || encounter;
  const rulings = `${about.rulings} ${about.rulings === 1 ? 'ruling' : 'rulings'}`;
  const id = about.title && about.title !== encounter ? ` (${encounter})` : '';
  const origin = about.branch_of ? `, branch of ${about.branch_of} after ${about.behind}` : '';
  item.append(link, `${id} — ${about.status}, round ${about.round}, ${rulings}${origin}`);
  return item;
}

async function showFights() {
  const who = await requestJson('/me');
  const isKnown = who.rank !== 'anybody';
  const as = { gm: 'the game master', player: 'a player', viewer: 'a viewer' }[/** @type {string} */ (who.rank)];
  part('who').textContent = isKnown
    ? `You are ${[who.name, as].filter(Boolean).join(', ')}.`
    : 'Sign in to see the fights.';
  part('enter').hidden = isKnown;
  part('leave').hidden = !isKnown || !who.name;
  if (!isKnown) return;
  const fights = await requestJson('/encounters');
  part('fights').replaceChildren(...fights.map(line));
  if (!fights.length) part('word').textContent = 'There is no fight yet.';
}

/** @param {() => Promise<void>} work */
async function runAndShow(work) {
  try {
    await work();
    part('word').textContent = '';
    await showFights();
  } catch (error) {
    part('word').textContent = error instanceof Error ? error.message : String(error);
  }
}

part('enter').addEventListener('submit', (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (part('token'));
  void runAndShow(() => enter(input.value.trim()));
});
part('leave').addEventListener('click', () => void runAndShow(() => requestJson('/session', { method: 'DELETE' })));

const token = location.hash.slice(1);
// Remove the token from the address bar and the history.
if (token) history.replaceState(null, '', location.pathname);
void runAndShow(async () => (token ? enter(token) : undefined));
export {};
