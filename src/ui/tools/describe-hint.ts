/** What would make the description of a tool better, for the model that goes by it. */

export type DescriptionHint = 'empty' | 'short' | 'when' | 'long' | 'good';

/** It says when to use the tool, in English or Chinese. */
const saysWhen =
  /\b(?:when|whenever|for (?:any|every|all|questions?|deadlines|looking|working)|if (?:the|a|you|someone)|to (?:answer|find|look|check|test|count|convert))\b|当|时候?使用|用于|用来|如果|需要/iu;

export function hintFor(description: string): DescriptionHint {
  const text = description.trim();
  if (text === '') return 'empty';
  // A character of Chinese says as much as a few letters.
  const length = text.length + (text.match(/\p{Script=Han}/gu) ?? []).length * 2;
  if (length < 25) return 'short';
  if (length > 300) return 'long';
  return saysWhen.test(text) ? 'good' : 'when';
}
