/** The reference of all endpoints, with forms to try them, built from the OpenAPI description. */

/** @typedef {Record<string, any>} Plain */

/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * An element with text and children.
 *
 * @param {string} name
 * @param {...(string | Node)} inside
 */
function made(name, ...inside) {
  const one = document.createElement(name);
  one.append(...inside);
  return one;
}

/**
 * @param {Plain} shape
 * @returns {string}
 */
function kindOf(shape) {
  if (shape.$ref) return shape.$ref.split('/').pop();
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(' | ');
  if (shape.type === 'array') return `list of ${kindOf(shape.items ?? {})}`;
  const several = shape.anyOf ?? shape.oneOf;
  if (several) return several.map(kindOf).join(' or ');
  return [shape.type].flat().join(' or ') || 'anything';
}

/** @param {Plain[]} rows */
function table(rows) {
  const rowsOf = made('table');
  for (const { name, kind, told, needed } of rows) {
    rowsOf.append(
      made('tr', made('td', made('code', name)), made('td', kind), made('td', needed ? `${told} (needed)` : told)),
    );
  }
  return rowsOf;
}

/**
 * One endpoint: its description, its parameters, and a form to try it.
 *
 * @param {string} method
 * @param {string} path
 * @param {Plain} call
 */
function callOf(method, path, call) {
  const told = document.createElement('details');
  told.id = call.operationId;
  told.append(made('summary', made('b', method), ' ', made('code', path), ' ', made('span', call.summary)));
  if (call.description) told.append(typeset(call.description));
  /** @type {Plain[]} */
  const rows = call.parameters.map((/** @type {Plain} */ one) => ({
    name: one.name,
    kind: `${one.in}: ${kindOf(one.schema)}`,
    told: one.description ?? '',
    needed: one.required,
  }));
  if (rows.length) told.append(table(rows));
  told.addEventListener(
    'toggle',
    () => told.open && !told.querySelector('form') && told.append(formOf(method, path, call)),
    {
      once: true,
    },
  );
  return told;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Plain} call
 */
function formOf(method, path, call) {
  const form = made('form');
  /** @type {Map<string, HTMLInputElement | HTMLTextAreaElement>} */
  const inputs = new Map();
  for (const one of call.parameters) {
    const input = document.createElement('input');
    input.value = one.example ?? (one.name === 'Idempotency-Key' ? crypto.randomUUID() : '');
    inputs.set(one.name, input);
    form.append(made('label', one.name, input));
  }
  const body = call.requestBody?.content['application/json'];
  if (body) {
    const area = document.createElement('textarea');
    area.rows = 5;
    area.value = JSON.stringify(body.example ?? {}, null, 1);
    inputs.set('body', area);
    form.append(made('label', 'body', area));
  }
  const answer = made('pre');
  answer.setAttribute('role', 'status');
  answer.hidden = true;
  form.append(made('p', made('button', `Try: ${method} ${path}`)), answer);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void tried(method, path, call, inputs, answer);
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
async function tried(method, path, call, inputs, answer) {
  let where = path;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  for (const { name, in: place } of call.parameters) {
    const value = inputs.get(name)?.value ?? '';
    if (place === 'path') where = where.replace(`{${name}}`, encodeURIComponent(value));
    else if (value && place === 'query') query.set(name, value);
    else if (value) headers[name] = value;
  }
  const body = inputs.get('body')?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  answer.hidden = false;
  answer.textContent = '…';
  try {
    const address = `${where}${query.size ? `?${query}` : ''}`;
    const stop = new AbortController();
    // A stream never ends, so show what has arrived so far.
    setTimeout(() => stop.abort(), 5000);
    const response = await fetch(address, { method, headers, body, signal: stop.signal });
    const tag = response.headers.get('etag');
    answer.textContent = `${response.status} ${response.statusText}${tag ? `\nETag: ${tag}` : ''}\n\n`;
    await poured(response, answer);
  } catch (error) {
    answer.textContent += error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {Response} response
 * @param {HTMLElement} answer
 */
async function poured(response, answer) {
  if (
    response.headers.get('content-type')?.includes('json') &&
    !response.headers.get('content-type')?.includes('ndjson')
  ) {
    answer.textContent += JSON.stringify(await response.json(), null, 1);
    return;
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let one = await reader?.read(); one && !one.done; one = await reader?.read()) answer.textContent += one.value;
}

/**
 * One order with its fields.
 *
 * @param {string} name
 * @param {Plain} shape
 */
function orderOf(name, shape) {
  const told = made('details');
  told.id = `order-${name}`;
  const sentence = (shape.description ?? '').split('\n')[0];
  told.append(made('summary', made('code', name), ' ', made('span', sentence)));
  const needed = new Set(shape.required ?? []);
  told.append(
    table(
      Object.entries(shape.properties).map(([field, one]) => ({
        name: field,
        kind: kindOf(one),
        told: one.description ?? '',
        needed: needed.has(field),
      })),
    ),
  );
  for (const example of shape['x-examples'] ?? []) told.append(made('p', made('code', example)));
  return told;
}

/**
 * A paragraph in which text between backticks becomes code.
 *
 * @param {string} text
 */
function typeset(text) {
  return made('p', ...text.split('`').map((one, at) => (at % 2 ? made('code', one) : one)));
}

async function opened() {
  const response = await fetch('/openapi.json');
  /** @type {Plain} */
  const described = await response.json();
  for (const text of described.info.description.split('\n\n')) part('about').append(typeset(text));
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const [method, call] of Object.entries(methods))
      part('calls').append(callOf(method.toUpperCase(), path, call));
  }
  const { mapping } = described.components.schemas.Order.discriminator;
  for (const [name, ref] of Object.entries(mapping)) {
    part('orders').append(
      orderOf(name, described.components.schemas[/** @type {string} */ (ref).split('/').pop() ?? '']),
    );
  }
  const problems = new Map();
  for (const methods of Object.values(described.paths)) {
    for (const call of Object.values(/** @type {Plain} */ (methods))) {
      for (const [status, one] of Object.entries(call.responses)) {
        if (Number(status) >= 400) problems.set(status, /** @type {Plain} */ (one).description);
      }
    }
  }
  for (const [status, title] of [...problems].sort()) {
    const head = made('dt', status);
    head.id = `problem-${status}`;
    part('problems').append(head, made('dd', title));
  }
  found();
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** Show only entries that contain the typed words. */
function found() {
  const input = /** @type {HTMLInputElement} */ (part('find'));
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const one of document.querySelectorAll('details')) {
    const text = (one.querySelector('summary')?.textContent ?? '').toLowerCase();
    one.hidden = !words.every((word) => text.includes(word));
  }
}

part('find').addEventListener('input', found);
void opened();
export {};
