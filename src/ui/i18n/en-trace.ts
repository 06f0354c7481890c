/** What is said where a turn is looked at step by step, in English. */
import { plural } from './en';

export const enTrace = {
  timeline: 'Timeline',
  /** Its first and last known moment. */
  total: (time: string) => `From the first step to the last: ${time}.`,
  unknownTimes: 'When each step began is not recorded: this answer was made by an older version.',
  asJson: 'Timeline as JSON',
  legend: 'In the bars',
  /** What a bar is made of, with its time. */
  spans: {
    loading: 'loading the model',
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
  /** Of a call, and of its card. */
  marks: {
    arguments: 'You changed the arguments.',
    result: 'You changed the result.',
    taken: 'Taken from the record; not run again.',
  },
  /** Two answers to one question. */
  compare: {
    open: 'Compare answers',
    title: 'Two answers to one question',
    sides: ['On the one side', 'On the other side'],
    version: (number: number) => `Answer ${number}`,
    same: 'Both say and do the same.',
    differ: (first: number, second: number) =>
      `${plural(first, 'passage is', 'passages are')} in the first alone, struck through; ${second} in the second alone, underlined.`,
    /** Said before such a passage. */
    onlyHere: 'only here: ',
  },
  /** Where a turn is run once more from some step of it on. */
  replay: {
    question: 'Question:',
    otherQuestion: 'Another question',
    otherArguments: 'Other arguments',
    otherResult: 'Other result',
    /** The names of the buttons, with what they are for. */
    of: (button: string, tool: string, step: string) => `${button}: ${tool}, step ${step}`,
    titles: {
      question: 'Run on with another question',
      arguments: (tool: string) => `Run on with other arguments for ${tool}`,
      result: (tool: string) => `Run on with another result of ${tool}`,
    },
    fields: { question: 'What is asked', arguments: 'Arguments, as JSON', result: 'What it gives' },
    isFailure: 'It is a failure',
    notJson: 'This is not a JSON object.',
    model: 'Answered by',
    switches: (model: string) => `The chat goes on with ${model} from here.`,
    before:
      'A new version begins. What stands before this point is taken from the record, as it was, and not run again. What comes after it is asked anew, with the tools and settings of this chat as they are now.',
    inAgent: (agent: string) =>
      `${agent} goes on from here. What it answers then is given to whoever asked it, in place of its old answer.`,
    outside:
      'A call that reached outside is not made twice: one with the same arguments gets the result it had. Any other asks for your permission as ever.',
    hosts: (hosts: string) => `It stays text from ${hosts}, also changed.`,
    likeliest: 'Its words are always the likeliest ones: where nothing is changed, the same comes of it.',
    random: (temperature: string) =>
      `Its words are drawn at random (temperature ${temperature}): even where nothing is changed, something else may come of it.`,
    otherModel: 'Another model says it in its own way, and may call other tools.',
    start: 'Start from here',
    back: 'Back to the timeline',
  },
  wholeCut: (characters: string) => `The model was given a part of ${characters} characters.`,
};
