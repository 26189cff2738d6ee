/**
 * The styles of single elements, written in the markup as `data-style`: the content security policy allows only a
 * script to set them.
 */

/** @param {Element} root */
function setStyles(root) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-style]'))) {
    for (const declaration of (element.dataset.style ?? '').split(';')) {
      const [name, value] = declaration.split(':');
      if (name && value) element.style.setProperty(name.trim(), value.trim());
    }
    element.removeAttribute('data-style');
  }
}

/** Apply the styles of every part that is added to the page, before it is shown. */
export function applyStyles() {
  new MutationObserver((changes) => {
    for (const root of new Set(changes.map((change) => change.target))) if (root instanceof Element) setStyles(root);
  }).observe(document.documentElement, { childList: true, subtree: true });
}
