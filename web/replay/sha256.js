/** SHA-256 (FIPS 180-4), because browsers offer none to a page that was opened from disk. */

const FRACTIONS = primes(64);
const K = Uint32Array.from(FRACTIONS, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(FRACTIONS.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/** The first `count` primes. @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const numbers = [];
  for (let number = 2; numbers.length < count; number++) {
    if (numbers.every((prime) => number % prime)) numbers.push(number);
  }
  return numbers;
}

/** The first 32 bits of the fraction. @param {number} root */
function fraction(root) {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

const rotateRight = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

/** The hash of those bytes. @param {Uint8Array} bytes */
export function sha256(bytes) {
  const length = bytes.length;
  const message = new Uint8Array(((length + 72) >>> 6) << 6);
  message.set(bytes);
  message[length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(message.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(message.length - 4, (length << 3) >>> 0);
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < message.length; at += 64) block(view, at, hash, words);
  const digest = new Uint8Array(32);
  const output = new DataView(digest.buffer);
  hash.forEach((word, at) => output.setUint32(at * 4, word));
  return digest;
}

/** @param {DataView} view @param {number} at @param {Uint32Array} hash @param {Uint32Array} words */
function block(view, at, hash, words) {
  const w = /** @type {number[]} */ (/** @type {unknown} */ (words));
  const h = /** @type {number[]} */ (/** @type {unknown} */ (hash));
  const k = /** @type {number[]} */ (/** @type {unknown} */ (K));
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const [a, b] = [/** @type {number} */ (w[i - 15]), /** @type {number} */ (w[i - 2])];
    const low = rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >>> 3);
    const high = rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >>> 10);
    w[i] = ((w[i - 16] ?? 0) + low + (w[i - 7] ?? 0) + high) | 0;
  }
  let [a, b, c, d, e, f, g, last] = /** @type {[number, number, number, number, number, number, number, number]} */ ([
    ...h,
  ]);
  for (let i = 0; i < 64; i++) {
    const first =
      (last +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        ((e & f) ^ (~e & g)) +
        /** @type {number} */ (k[i]) +
        /** @type {number} */ (w[i])) |
      0;
    const second = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [last, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, last].forEach((word, i) => {
    h[i] = /** @type {number} */ ((h[i] ?? 0) + word) | 0;
  });
}

/** HMAC (RFC 2104) with that hash. @param {Uint8Array} key @param {Uint8Array} message */
export function hmac(key, message) {
  const block64 = new Uint8Array(64);
  block64.set(key.length > 64 ? sha256(key) : key);
  const inner = concatBytes(
    block64.map((byte) => byte ^ 0x36),
    message,
  );
  return sha256(
    concatBytes(
      block64.map((byte) => byte ^ 0x5c),
      sha256(inner),
    ),
  );
}

/** @param {Uint8Array[]} parts */
export function concatBytes(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {string} digits */
export const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
