import type { Sandbox } from '../../contracts/sandbox';
import { z } from '../../contracts/schema';
import type { Tool } from '../../contracts/tool';
import { ToolError } from '../../contracts/tool-failure';
import { defineTool, createTextSchema } from '../define-tool';

export function createRunJavascriptTool({ sandbox }: { sandbox: Pick<Sandbox, 'run'> }): Tool {
  return defineTool({
    name: 'run_javascript',
    title: 'JavaScript',
    description:
      'Runs JavaScript and gives what it returns. For working on text, lists, dates and numbers when no other tool does it. It has no network and no page.',
    keywords: {
      en: ['code', 'program', 'script', 'compute', 'simulate', 'sort', 'loop'],
      zh: ['代码', '程序', '脚本', '运行', '编程'],
    },
    input: z.strictObject({ code: createTextSchema(20_000, 'Body of an async function; ends with return') }),
    isForLargerModels: true,
    // The code may read the time or a random number.
    annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
    examples: [
      {
        request: 'Sort these by length: fig, banana, kiwi',
        arguments: { code: "return ['fig', 'banana', 'kiwi'].sort((a, b) => a.length - b.length)" },
      },
    ],
    async run({ code }, { signal }) {
      const result = await sandbox.run({ code, args: {} }, signal);
      if (!result.ok) {
        const place = result.line === undefined ? '' : ` (line ${result.line})`;
        throw new ToolError('code', `${result.failure}: ${result.message}${place}`);
      }
      const { json, logs } = result;
      return logs.length > 0 ? [json, `Logged:\n${logs.join('\n')}`] : json;
    },
  });
}
