/** Makes room: engines of JavaScript collect what is needed no more when much was allocated, and else leave megabytes lying about. */

const sweepBytes = 1 << 26;

/**
 * No bytes, in much memory that is never touched and so takes none. What is needed no more is collected here, and where it is transferred to.
 * Where there is no room even for that, so much is collected anyway.
 */
export function sweep(): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(new ArrayBuffer(sweepBytes), 0, 0);
  } catch {
    return new Uint8Array();
  }
}
