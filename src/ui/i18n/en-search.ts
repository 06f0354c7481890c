/** What is said where chats are looked through, in English. */
import type { SearchHit } from '../../contracts/search';
import { plural } from './en';

export const enSearch = {
  results: 'Results',
  found: (count: number, hasMore: boolean) =>
    hasMore ? `The first ${count} results` : plural(count, 'result', 'results'),
  none: 'No chat has these words. Try fewer, or the beginning of one.',
  noneYet: 'Nothing found so far.',
  building: (percent: string) => `Your chats are being read for the search: ${percent} % done.`,
  unkept: 'The search finds what is kept on this device, and this visit keeps nothing.',
  broken: 'The search does not work: its index of your chats cannot be read. Your chats are whole.',
  full: 'This device has no room left for the index of your chats, so the search may miss some. Your chats are whole. Free some space, then try again.',
  rebuild: 'Build the index again',
  more: 'Show more',
  places: {
    question: 'You',
    answer: 'Hearth',
    rest: 'Steps',
  } satisfies Record<Exclude<SearchHit['place'], 'title'>, string>,
};

/** Where the chat on the screen is looked through. */
export const enFind = {
  label: 'Find in this chat',
  place: (at: string, of: string, isLooking: boolean) => `${at} of ${of}${isLooking ? '…' : ''}`,
  none: 'Not in this chat',
  previous: 'Previous',
  previousKeys: 'Previous (Shift + Enter)',
  next: 'Next',
  nextKeys: 'Next (Enter)',
  close: 'Close the search',
};

export type FindWords = typeof enFind;
export type SearchWords = typeof enSearch;
