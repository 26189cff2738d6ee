/** The data in a page, unpacked: base64, deflated, JSON. */

/**
 * @param {string} encoded
 * @returns {Promise<any>}
 */
export async function unpack(encoded) {
  const bytes = Uint8Array.from(atob(encoded.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return await new Response(stream).json();
}
