/** Functions for every page: the theme, the focus, the message for a damaged file. */

/** @typedef {import('./reader.js').Reader} Reader */

/** Show that this file cannot be read; keep the content that needs no script. */
export function showDamaged() {
  const facts = document.querySelector('.sub');
  if (facts) facts.textContent = 'This file is damaged and cannot be read. Ask for it again.';
}

/** Switch between the light and the dark theme. */
export function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

/** Set the theme that the address names. @param {string | null} theme */
export function setTheme(theme) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}

/** Keep the focus on an element that is drawn again. @param {Reader} reader */
export function keepFocus(reader) {
  reader.addEventListener('moment', () => {
    const dataset = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset ?? {};
    const selectors = Object.entries(dataset).map(([name, value]) => `[data-${name}="${CSS.escape(value ?? '')}"]`);
    if (!selectors.length) return;
    queueMicrotask(() => {
      if (document.activeElement === document.body)
        /** @type {HTMLElement | null} */ (document.querySelector(selectors.join('')))?.focus({ preventScroll: true });
    });
  });
}
