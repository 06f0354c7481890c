/** Reads offsets from UTC as people write them: `UTC+8`, `GMT-3:30`, `+05:30`, `东八区`. */

const western = /^(?:utc|gmt|z)?(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const chinese = /^([东西])([一二三四五六七八九十]{1,2})区$/;
const numerals = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];
const greenwich = new Set(['greenwich', 'greenwichmeantime', '格林威治', '格林尼治', '世界时', '协调世界时']);

/** Minutes east of UTC; nothing for a text that is no offset. Throws an error for the model if no clock is so far off. */
export function readOffset(place: string): number | undefined {
  const text = place
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[−–]/g, '-')
    .replace(/\s|时间$/g, '');
  if (text === '') return undefined;
  if (greenwich.has(text)) return 0;

  const zone = chinese.exec(text);
  if (zone) {
    const hours = numerals.indexOf(zone[2] ?? '');
    return hours < 0 ? undefined : hours * (zone[1] === '西' ? -60 : 60);
  }

  const offset = western.exec(text);
  if (!offset) return undefined;
  const [, sign, hours = 0, minutes = 0] = offset;
  const size = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  if (Number(minutes) > 59 || size < -12 * 60 || size > 14 * 60) {
    throw new RangeError(`"${place}" is no offset; they go from UTC-12:00 to UTC+14:00`);
  }
  return size;
}
