/** The clock's result as a person of that language writes a time; what the model reads is English always. */

/** Undefined for what is no time of the clock's. `2026-11-24 05:51 Tuesday` is what it writes. */
export function shownTime(tool: string, result: string, language: string): string | undefined {
  const [, date, time] = (tool === 'clock' && /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) /.exec(result)) || [];
  if (date === undefined || time === undefined) return undefined;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' });
  return `${time}, ${day.format(new Date(`${date}T00:00Z`))}`;
}
