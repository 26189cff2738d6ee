/** What every page does with hands and light. */

/** @typedef {import('./book.js').Reader} Reader */

/** Say that nothing can be read out of this file: what stands there without script stays. */
export function damaged() {
  const facts = document.querySelector('.sub');
  if (facts) facts.textContent = 'This file is damaged and cannot be read. Ask for it again.';
}

/** Switch between the light and the dark theme. */
export function themed() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

/** The light that an address asks for. @param {string | null} theme */
export function wear(theme) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}

/** What had the focus keeps it, though it was drawn anew. @param {Reader} reader */
export function heldFocus(reader) {
  reader.addEventListener('moment', () => {
    const held = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset ?? {};
    const same = Object.entries(held).map(([name, value]) => `[data-${name}="${CSS.escape(value ?? '')}"]`);
    if (!same.length) return;
    queueMicrotask(() => {
      if (document.activeElement === document.body)
        /** @type {HTMLElement | null} */ (document.querySelector(same.join('')))?.focus({ preventScroll: true });
    });
  });
}
