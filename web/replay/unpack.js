/** The data in a page, unpacked: base64, deflated, JSON. */

/**
 * @param {string} packed
 * @returns {Promise<any>}
 */
export async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return await new Response(stream).json();
}
