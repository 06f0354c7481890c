/** Which code blocks may hold calls, by what opens them and where they stand. Any other is shown, not called. */
import type { Reading } from './format';
import type { Probe } from './probe';
import { fenceOf } from './reader-marks';
import type { Transcript } from './transcript';

/** Undefined: nothing in the block is a call. `isListed`: a list said all the calls there are. */
export function callFence(
  { ticks, info }: Extract<Probe, { type: 'fence' }>,
  out: Transcript,
  at: number,
  isListed: boolean,
): Reading | undefined {
  const reading = ticks === 3 ? fenceOf(info) : undefined;
  if (!reading || !out.hasProse(at)) return reading;
  const isIndented = /[ \t]/.test(out.before(at));
  return reading.at === 'start' || isIndented || isListed || out.isAnnounced(at) ? undefined : reading;
}
