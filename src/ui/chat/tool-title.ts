/** PURE: what a person calls a tool. */
import type { ToolSpec } from '../../contracts/tool';
import type { LateWords } from '../i18n/words';

/** Its title, of a built-in one in the person's language; of a tool that is gone, the name that the model knew. */
export function titleOfTool(name: string, tools: readonly ToolSpec[], words: LateWords['tools']): string {
  return words.titles[name] ?? tools.find((tool) => tool.name === name)?.title ?? name;
}
