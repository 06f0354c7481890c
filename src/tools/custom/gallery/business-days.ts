/** Days between two dates, all of them and those that are worked. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const businessDays: CustomToolContent = {
  ...plain,
  name: 'business_days',
  title: 'Business days',
  description:
    'Counts the days and the business days between two dates, or finds the date so many business days later. Use it for deadlines and spans of time.',
  keywords: {
    en: ['workdays', 'working days', 'deadline', 'holidays', 'days between'],
    zh: ['工作日', '上班天数', '截止日期', '节假日', '相隔几天'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      from: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' },
      to: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' },
      add: { type: 'integer', minimum: -5000, maximum: 5000, description: 'Business days to add' },
      holidays: {
        type: 'array',
        items: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
        maxItems: 200,
        description: 'Days off, YYYY-MM-DD',
      },
    },
    required: ['from'],
  },
  code: String.raw`const day = 86_400_000;
function read(text) {
  const time = Date.parse(text + 'T00:00:00Z');
  if (Number.isNaN(time) || write(time) !== text) throw new Error(text + ' is no date. Write it as YYYY-MM-DD.');
  return time;
}
function write(time) { return new Date(time).toISOString().slice(0, 10); }
const off = new Set(args.holidays ?? []);
const isWorked = (time) => ![0, 6].includes(new Date(time).getUTCDay()) && !off.has(write(time));
const from = read(args.from);
if (args.add !== undefined) {
  let [time, left] = [from, Math.abs(args.add)];
  while (left > 0) {
    time += day * Math.sign(args.add);
    if (isWorked(time)) left--;
  }
  return { date: write(time), weekday: new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(time) };
}
if (args.to === undefined) throw new Error('Give "to", the other date, or "add", the business days to add.');
const to = read(args.to);
const [first, last] = from < to ? [from, to] : [to, from];
if ((last - first) / day > 200_000) throw new Error('The dates are too far apart.');
let worked = 0;
for (let time = first + day; time <= last; time += day) if (isWorked(time)) worked++;
const sign = from <= to ? 1 : -1;
return { days: sign * Math.round((last - first) / day), business_days: worked === 0 ? 0 : sign * worked };`,
  examples: [
    {
      request: 'How many business days from 2026-12-21 to 2027-01-04?',
      arguments: { from: '2026-12-21', to: '2027-01-04' },
      result: '{"days":14,"business_days":10}',
    },
    {
      request: '',
      arguments: { from: '2026-12-23', add: 2, holidays: ['2026-12-25'] },
      result: '{"date":"2026-12-28","weekday":"Monday"}',
    },
    {
      request: '',
      arguments: { from: '2026-11-21', to: '2026-11-20' },
      result: '{"days":-1,"business_days":0}',
    },
  ],
};
