/** What is said where things are commanded, in English: messages that wait, the palette of commands, keys, prompts of one's own. */
import { plural } from './en';

export const enCommand = {
  /** Messages that were written while an answer was on its way. */
  followUps: {
    title: 'Up next',
    goesOn: 'Goes on by itself after this answer.',
    waits: 'Waits for you: the answer before it was not finished.',
    elsewhere: 'Waits for the answer in another tab.',
    count: (count: number) => `${plural(count, 'follow-up waits', 'follow-ups wait')}.`,
    files: (count: number) => `+ ${plural(count, 'file', 'files')}`,
    comesIn: 'Comes in after this step.',
    steer: 'Steer',
    steerOne: (place: number) => `Steer: follow-up ${place}`,
    steerHint: 'Comes in after the step that runs now, before the model goes on',
    askNow: 'Ask now',
    askNowOne: (place: number) => `Ask now: follow-up ${place}`,
    askNowHint: 'Ends the answer that runs, and asks this',
    moveUp: (place: number) => `Move up: follow-up ${place}`,
    change: (place: number) => `Change: follow-up ${place}`,
    remove: (place: number) => `Remove: follow-up ${place}`,
    text: (place: number) => `Text of follow-up ${place}`,
    keep: 'Keep',
  },
};

export type CommandWords = typeof enCommand;
