/** What a message may want that no tool gives. */

/** All of the message says this and nothing else: it is answered before any model is asked. */
export type TalkIntent =
  | 'greeting'
  | 'how-are-you'
  | 'thanks'
  | 'good-night'
  | 'goodbye'
  | 'identity'
  | 'maker'
  | 'nature'
  | 'ability'
  | 'privacy'
  | 'secret'
  | 'praise'
  | 'insult'
  | 'apology'
  | 'laugh'
  | 'noted'
  | 'birthday'
  | 'sadness'
  | 'crisis'
  | 'bored'
  | 'memory'
  | 'languages'
  | 'offline'
  | 'cost'
  | 'doubt'
  | 'again'
  | 'unclear'
  | 'nonsense';

/** Wants a larger model. */
export type BeyondIntent = 'joke' | 'writing' | 'translation' | 'summary' | 'code' | 'picture' | 'action';

/** Read where a small model found no tool to call. */
export type LeftIntent =
  | 'ability'
  | 'identity'
  | 'opinion'
  | 'question'
  | 'why'
  | 'statement'
  // A tool of the gallery is for it.
  | 'units'
  | 'money'
  | 'chance';

export type Intent = TalkIntent | BeyondIntent | LeftIntent;
