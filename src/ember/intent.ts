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
  // Something of themselves.
  | 'told'
  | 'languages'
  | 'offline'
  | 'cost'
  | 'doubt'
  | 'again'
  | 'unclear'
  | 'nonsense';

/** No tool of ours is for it. */
export type BeyondIntent =
  | 'joke'
  | 'story'
  | 'writing'
  | 'translation'
  | 'summary'
  | 'rewriting'
  | 'code'
  | 'recipe'
  | 'plan'
  | 'chat'
  | 'view'
  // Nor is a larger model.
  | 'picture'
  | 'action';

/** Read where a small model found no tool to call. */
export type LeftIntent =
  | 'ability'
  | 'identity'
  | 'opinion'
  | 'advice'
  | 'question'
  | 'explanation'
  | 'pasted'
  // The model said so itself.
  | 'beyond'
  | 'why'
  | 'statement'
  // A tool of the gallery is for it.
  | 'units'
  | 'money'
  | 'chance';

export type Intent = TalkIntent | BeyondIntent | LeftIntent;
