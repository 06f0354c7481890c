/** Pictures whose bytes stand in the text itself. */

/** SVG is not among them. */
const written = /^data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/-]+=*$/i;

export function isPictureData(address: string): boolean {
  return written.test(address);
}
