export interface Zone {
  /** IANA name. Undefined for a fixed offset such as UTC+8. */
  name?: string;
  /** Minutes east of UTC at a certain moment. */
  offset: number;
  note?: string;
}

/** Offset of an IANA zone in minutes east of UTC. Throws a `RangeError` for an unknown zone. */
export function offsetMinutesAt(now: Date, zone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const written = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d+):(\d+)/.exec(written) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

/** Returns a readable line and an ISO 8601 line. Always in English, because small models were trained on such readable lines. */
export function writeTime(now: Date, { name, offset, note }: Zone): [string, ...string[]] {
  const local = new Date(now.getTime() + offset * 60_000);
  const [date = '', time = ''] = local.toISOString().slice(0, 19).split('T');
  const weekday = local.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const shift = writeOffset(offset);
  const utc = offset === 0 ? 'UTC' : `UTC${shift}`;
  const zone = name === undefined || name === utc ? utc : `${name}, ${utc}`;
  const plain = `${date} ${time.slice(0, 5)} ${weekday}`;
  const exact = `${date}T${time}${shift} (${zone})`;
  return note === undefined ? [plain, exact] : [plain, exact, note];
}

function writeOffset(offset: number): string {
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  const minutes = String(size % 60).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}
