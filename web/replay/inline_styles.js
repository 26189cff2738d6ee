/**
 * The styles of single elements, written in the markup as `data-style`: the content security policy allows only a
 * script to set them.
 */

/** @param {Element} where */
function setStyles(where) {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (where.querySelectorAll('[data-style]'))) {
    for (const part of (one.dataset.style ?? '').split(';')) {
      const [name, value] = part.split(':');
      if (name && value) one.style.setProperty(name.trim(), value.trim());
    }
    one.removeAttribute('data-style');
  }
}

/** Apply the styles of every part that is added to the page, before it is shown. */
export function applyStyles() {
  new MutationObserver((changes) => {
    for (const where of new Set(changes.map((change) => change.target))) if (where instanceof Element) setStyles(where);
  }).observe(document.documentElement, { childList: true, subtree: true });
}
