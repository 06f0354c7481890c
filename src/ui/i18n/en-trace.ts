/** What is said where a turn is looked at step by step, in English. */
import { plural } from './en';

export const enTrace = {
  timeline: 'Timeline',
  /** Its first and last known moment. */
  total: (time: string) => `From the question to the last step: ${time}.`,
  unknownTimes: 'When each step began is not recorded: this answer was made by an older version.',
  asJson: 'Timeline as JSON',
  legend: 'In the bars',
  /** What a bar is made of, with its time. */
  spans: {
    'summing-up': 'summing up',
    reading: 'reading and waiting',
    writing: 'writing',
    waiting: 'waiting for you',
    running: 'running',
  },
  /** `reading and waiting 1.2 s` */
  span: (kind: string, time: string) => `${kind} ${time}`,
  began: (time: string) => `began at ${time}`,
  between: ', ',
  /** Between who works and what is done. */
  within: ' · ',
  page: 'Hearth itself',
  notRecorded: 'Time not recorded',
  tokens: (prompt: string, read: string, kept: string, written: string) =>
    `Prompt of ${prompt} tokens: ${read} read, ${kept} kept from before; ${written} written.`,
  dropped: (count: number) => `${plural(count, 'old message', 'old messages')} did not fit.`,
  summedUp: (count: number) => `A summary stood for ${plural(count, 'message', 'messages')}.`,
  masked: (count: number) => `Of ${plural(count, 'message', 'messages')} only a line stood for each result.`,
  allowedBy: {
    rule: 'No question was needed.',
    kept: 'You had allowed it before.',
    once: 'You allowed it this once.',
    chat: 'You allowed it for this chat.',
    always: 'You allowed it for good.',
    deny: 'You did not allow it.',
    unknown: 'Who allowed it is not recorded.',
  },
  cached: 'Answered with a result that was kept from an earlier call.',
  outside: (hosts: string) => `Text from ${hosts}.`,
  unanswered: 'No result.',
  failed: 'Failed:',
  result: 'Result:',
  wholeCut: (characters: string) => `The model was given a part of ${characters} characters.`,
};
