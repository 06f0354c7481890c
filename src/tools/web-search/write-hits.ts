/** A search as a model reads it: the provider's answer, then each hit on lines of its own. */
import type { Hit, SearchReply } from './provider';

/** Characters of one hit. Ten of them fill what a result may have. */
const maxContent = 1_200;

/**
 * `1. title`, address, summary and `score: 0.87`, each on one line, so that no hit can pass for two. Models are trained
 * on exactly this.
 */
export function writeHits({ answer = '', hits }: SearchReply): string {
  const lines = answer.trim() === '' ? [] : [oneLine(answer)];
  if (hits.length === 0) lines.push('No results.');
  return [...lines, ...hits.map(writeHit)].join('\n');
}

function writeHit({ title, url, content, score }: Hit, index: number): string {
  const summary = oneLine(content);
  const lines = [`${index + 1}. ${oneLine(title) || new URL(url).host}`, url];
  if (summary !== '') lines.push(clip(summary));
  if (score !== undefined) lines.push(`score: ${score.toFixed(2)}`);
  return lines.join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** At the last word that fits, never through a character. */
function clip(text: string): string {
  if (text.length <= maxContent) return text;
  const kept = text.slice(0, maxContent).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.slice(0, kept.lastIndexOf(' ') > maxContent / 2 ? kept.lastIndexOf(' ') : undefined)} …`;
}
