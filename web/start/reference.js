/** The reference of all endpoints, with forms to try them, built from the OpenAPI description. */

/** @typedef {Record<string, any>} Plain */

/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * An element with text and children.
 *
 * @param {string} name
 * @param {...(string | Node)} children
 */
function createElement(name, ...children) {
  const element = document.createElement(name);
  element.append(...children);
  return element;
}

/**
 * @param {Plain} shape
 * @returns {string}
 */
function kindOf(shape) {
  if (shape.$ref) return shape.$ref.split('/').pop();
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(' | ');
  if (shape.type === 'array') return `list of ${kindOf(shape.items ?? {})}`;
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return alternatives.map(kindOf).join(' or ');
  return [shape.type].flat().join(' or ') || 'anything';
}

/** @param {Plain[]} rows */
function table(rows) {
  const tableElement = createElement('table');
  for (const { name, kind, description, isRequired } of rows) {
    tableElement.append(
      createElement(
        'tr',
        createElement('td', createElement('code', name)),
        createElement('td', kind),
        createElement('td', isRequired ? `${description} (needed)` : description),
      ),
    );
  }
  return tableElement;
}

/**
 * One endpoint: its description, its parameters, and a form to try it.
 *
 * @param {string} method
 * @param {string} path
 * @param {Plain} call
 */
function endpointDetails(method, path, call) {
  const details = document.createElement('details');
  details.id = call.operationId;
  details.append(
    createElement(
      'summary',
      createElement('b', method),
      ' ',
      createElement('code', path),
      ' ',
      createElement('span', call.summary),
    ),
  );
  if (call.description) details.append(typeset(call.description));
  /** @type {Plain[]} */
  const rows = call.parameters.map((/** @type {Plain} */ parameter) => ({
    name: parameter.name,
    kind: `${parameter.in}: ${kindOf(parameter.schema)}`,
    description: parameter.description ?? '',
    isRequired: parameter.required,
  }));
  if (rows.length) details.append(table(rows));
  details.addEventListener(
    'toggle',
    () => details.open && !details.querySelector('form') && details.append(endpointForm(method, path, call)),
    {
      once: true,
    },
  );
  return details;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Plain} call
 */
function endpointForm(method, path, call) {
  const form = createElement('form');
  /** @type {Map<string, HTMLInputElement | HTMLTextAreaElement>} */
  const inputs = new Map();
  for (const parameter of call.parameters) {
    const input = document.createElement('input');
    input.value = parameter.example ?? (parameter.name === 'Idempotency-Key' ? crypto.randomUUID() : '');
    inputs.set(parameter.name, input);
    form.append(createElement('label', parameter.name, input));
  }
  const body = call.requestBody?.content['application/json'];
  if (body) {
    const area = document.createElement('textarea');
    area.rows = 5;
    area.value = JSON.stringify(body.example ?? {}, null, 1);
    inputs.set('body', area);
    form.append(createElement('label', 'body', area));
  }
  const answer = createElement('pre');
  answer.setAttribute('role', 'status');
  answer.hidden = true;
  form.append(createElement('p', createElement('button', `Try: ${method} ${path}`)), answer);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sendRequest(method, path, call, inputs, answer);
  });
  return form;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Plain} call
 * @param {Map<string, HTMLInputElement | HTMLTextAreaElement>} inputs
 * @param {HTMLElement} answer
 */
async function sendRequest(method, path, call, inputs, answer) {
  let target = path;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  for (const { name, in: place } of call.parameters) {
    const value = inputs.get(name)?.value ?? '';
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (value && place === 'query') query.set(name, value);
    else if (value) headers[name] = value;
  }
  const body = inputs.get('body')?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  answer.hidden = false;
  answer.textContent = '…';
  try {
    const address = `${target}${query.size ? `?${query}` : ''}`;
    const controller = new AbortController();
    // A stream never ends, so show what has arrived so far.
    setTimeout(() => controller.abort(), 5000);
    const response = await fetch(address, { method, headers, body, signal: controller.signal });
    const tag = response.headers.get('etag');
    answer.textContent = `${response.status} ${response.statusText}${tag ? `\nETag: ${tag}` : ''}\n\n`;
    await showBody(response, answer);
  } catch (error) {
    answer.textContent += error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {Response} response
 * @param {HTMLElement} answer
 */
async function showBody(response, answer) {
  if (
    response.headers.get('content-type')?.includes('json') &&
    !response.headers.get('content-type')?.includes('ndjson')
  ) {
    answer.textContent += JSON.stringify(await response.json(), null, 1);
    return;
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
    answer.textContent += chunk.value;
}

/**
 * One order with its fields.
 *
 * @param {string} name
 * @param {Plain} shape
 */
function orderDetails(name, shape) {
  const details = createElement('details');
  details.id = `order-${name}`;
  const sentence = (shape.description ?? '').split('\n')[0];
  details.append(createElement('summary', createElement('code', name), ' ', createElement('span', sentence)));
  const required = new Set(shape.required ?? []);
  details.append(
    table(
      Object.entries(shape.properties).map(([field, value]) => ({
        name: field,
        kind: kindOf(value),
        description: value.description ?? '',
        isRequired: required.has(field),
      })),
    ),
  );
  for (const example of shape['x-examples'] ?? []) details.append(createElement('p', createElement('code', example)));
  return details;
}

/**
 * A paragraph in which text between backticks becomes code.
 *
 * @param {string} text
 */
function typeset(text) {
  return createElement('p', ...text.split('`').map((piece, at) => (at % 2 ? createElement('code', piece) : piece)));
}

async function openPage() {
  const response = await fetch('/openapi.json');
  /** @type {Plain} */
  const openapi = await response.json();
  for (const text of openapi.info.description.split('\n\n')) part('about').append(typeset(text));
  for (const [path, methods] of Object.entries(openapi.paths)) {
    for (const [method, call] of Object.entries(methods))
      part('calls').append(endpointDetails(method.toUpperCase(), path, call));
  }
  const { mapping } = openapi.components.schemas.Order.discriminator;
  for (const [name, ref] of Object.entries(mapping)) {
    part('orders').append(
      orderDetails(name, openapi.components.schemas[/** @type {string} */ (ref).split('/').pop() ?? '']),
    );
  }
  const problems = new Map();
  for (const methods of Object.values(openapi.paths)) {
    for (const call of Object.values(/** @type {Plain} */ (methods))) {
      for (const [status, answer] of Object.entries(call.responses)) {
        if (Number(status) >= 400) problems.set(status, /** @type {Plain} */ (answer).description);
      }
    }
  }
  for (const [status, title] of [...problems].sort()) {
    const head = createElement('dt', status);
    head.id = `problem-${status}`;
    part('problems').append(head, createElement('dd', title));
  }
  filterDetails();
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** Show only entries that contain the typed words. */
function filterDetails() {
  const input = /** @type {HTMLInputElement} */ (part('find'));
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const details of document.querySelectorAll('details')) {
    const text = (details.querySelector('summary')?.textContent ?? '').toLowerCase();
    details.hidden = !words.every((word) => text.includes(word));
  }
}

part('find').addEventListener('input', filterDetails);
void openPage();
export {};
