/** Says what is wrong with an answer of a real model. */

/** Whether `text` has a time of day that was right in `zone` while the turn ran. */
function hasTime(text, zone, from, to) {
  for (let at = from - 60_000; at <= to; at += 60_000) {
    const write = (options) =>
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hour: 'numeric',
        minute: '2-digit',
        ...options,
      }).format(at);
    const [clock, half] = [write({ hourCycle: 'h23' }), write({ hourCycle: 'h12' })];
    const [hour, minute] = half.replace(/\s?[AP]M/, '').split(':');
    if (text.includes(clock) || new RegExp(`(?<!\\d)0?${hour}(?::|点)${minute}(?!\\d)`).test(text))
      return true;
  }
  return false;
}

const english = (part) => new Intl.DateTimeFormat('en-US', part).format(new Date());
const chinese = (part) => new Intl.DateTimeFormat('zh-CN', part).format(new Date());

/**
 * Returns what is wrong with an answer, or undefined. `says` and `never`: patterns that the answer has and has not. `calls`: 0 if it needs no call.
 * `tool`: the name of a tool that it calls. `asks`: the number of questions for permission. `ends`: how the turn may
 * end. `begins`: the text that the answer begins with.
 */
export function findFault(rule, answer) {
  const { text, calls, asked, from, to, end } = answer;
  if (end === undefined) return 'no end';
  if (answer.error !== undefined) return 'an error';
  if (answer.doubts > 0) return 'a doubt';
  if (text.trim() === '') return 'no answer';
  // A long answer may reach the limit, and the person can continue it.
  if (!(rule.ends ?? ['answered', 'cut-off']).includes(end)) return end;
  if (rule.begins !== undefined && !text.trim().startsWith(rule.begins)) return 'another beginning';
  if (/"(?:arguments|parameters)"\s*:/.test(text)) return 'a raw call';
  if (/<\/?tool_(?:call|response)>/.test(text)) return 'raw markup';
  if (rule.calls === 0 && calls.length > 0) return 'a call';
  if (rule.tool !== undefined && !calls.some((call) => call.startsWith(`${rule.tool} `)))
    return `no call of ${rule.tool}`;
  if (rule.asks !== undefined && asked !== rule.asks) return `${asked} questions`;
  if (new Set(calls).size < calls.length) return 'a call twice';
  if (answer.rounds > 3) return `${answer.rounds} rounds`;
  if (rule.clock && !hasTime(text, rule.clock, from, to)) return 'another time';
  if (
    rule.weekday &&
    ![english, chinese].some((write) => text.toLowerCase().includes(write({ weekday: 'long' }).toLowerCase()))
  )
    return 'another day';
  if (rule.date && !new RegExp(`(?<!\\d)${new Date().getDate()}(?!\\d)`).test(text)) return 'another date';
  const missing = (rule.says ?? []).find((pattern) => !new RegExp(pattern, 'iu').test(text));
  if (missing !== undefined) return `without ${missing}`;
  return (rule.never ?? []).some((pattern) => new RegExp(pattern, 'iu').test(text)) ? 'made up' : undefined;
}
