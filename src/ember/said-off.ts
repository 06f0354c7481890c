/** Which tool a very small model says is switched off: it was trained to, for the tools that ship, in these words. */

/** It names the menu in which the tool can be turned on. */
const namesToolsMenu = /tools menu|工具菜单/;

const tools: readonly (readonly [name: string, said: RegExp])[] = [
  ['calculator', /calculator|计算器/i],
  ['clock', /\bclock\b|时钟/i],
  ['weather', /\bweather\b|天气/i],
  ['web_search', /\bsearch\b|搜索/i],
  ['fetch_page', /page reading|网页/i],
];

/** Undefined where it says no such thing; '' where it does not say of which tool. */
export function toolSaidOff(text: string): string | undefined {
  if (!namesToolsMenu.test(text)) return undefined;
  return tools.find(([, said]) => said.test(text))?.[0] ?? '';
}
