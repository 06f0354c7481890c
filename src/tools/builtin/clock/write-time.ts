/** Writes an instant as the clock of a place shows it. */

/** Where a time is told. */
export interface Zone {
  /** IANA name; none for a bare offset such as UTC+8. */
  name?: string;
  /** Minutes east of UTC, at the instant that is told. */
  offset: number;
  /** What the reader should know of how the place was understood. */
  note?: string;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Minutes east of UTC that `zone`, an IANA name, keeps at `now`. Throws a `RangeError` for a zone that does not exist. */
export function offsetAt(now: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    now,
  );
  const written = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // `GMT+05:30`, or `GMT` alone.
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d+):(\d+)/.exec(written) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

/**
 * `2026-11-21 15:58 Saturday`, and then the same in ISO 8601 with offset and zone, and the note. In English always:
 * small models learn the words of the first line.
 */
export function writeTime(now: Date, { name, offset, note }: Zone): [string, ...string[]] {
  const local = new Date(now.getTime() + offset * 60_000);
  const [date = '', time = ''] = local.toISOString().slice(0, 19).split('T');
  const weekday = weekdays[local.getUTCDay()] ?? '';
  const shift = writeOffset(offset);
  const utc = offset === 0 ? 'UTC' : `UTC${shift}`;
  const zone = name === undefined || name === utc ? utc : `${name}, ${utc}`;
  const told = `${date} ${time.slice(0, 5)} ${weekday}`;
  const exact = `${date}T${time}${shift} (${zone})`;
  return note === undefined ? [told, exact] : [told, exact, note];
}

function writeOffset(offset: number): string {
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  const minutes = String(size % 60).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}
