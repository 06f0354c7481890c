/** Formats that write a call in a Markdown code block. */
import { chineseKeyLines } from '../codecs/key-lines';
import { callBlock, jsonCalls } from '../codecs/json-calls';
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';
import { writePython } from './code';

/** A code block that says it is a call: ```` ```tool ````, ```` ```tool_call ````, Gemma's ```` ```tool_code ````. */
export const fencedTool: ToolCallFormat = {
  id: 'fenced-tool',
  reading: {
    open: ['```tool_call', '```tool_calls', '```tool_code', '```tool', '```function_call'],
    close: ['```'],
    bodies: [jsonCalls, chineseKeyLines, pythonCalls, namedValue],
    at: 'line',
    isShared: true,
  },
  dialect: createDialect({
    writeCall: (call) => `\`\`\`tool_code\n${writePython(call)}\n\`\`\``,
  }),
};

/** A call in a code block for data: Qwen2.5-Coder-7B, Gemma 3, Llama 3.2. It has no mark, so it must fit a tool. */
export const fencedJson: ToolCallFormat = {
  id: 'fenced-json',
  reading: {
    open: ['```json', '```jsonc', '```json5', '```text', '```plaintext', '```'],
    close: ['```'],
    bodies: [jsonCalls, chineseKeyLines, pythonCalls],
    at: 'line',
    isBare: true,
  },
};

/** A reply that starts with a code block of calls only: Gemma, Mistral, models that were taught code. */
export const fencedCode: ToolCallFormat = {
  id: 'fenced-code',
  reading: {
    open: ['```python', '```python3', '```py', '```javascript', '```js', '```java'],
    close: ['```'],
    bodies: [callBlock],
    // In the middle of an answer, a program is an example.
    at: 'start',
    isBare: true,
  },
};

/** Command R: ```` Action: ```json⏎[{"tool_name": "f", "parameters": {…}}]⏎``` ````. */
export const commandR: ToolCallFormat = {
  id: 'command-r',
  reading: {
    open: ['Action: ```json', 'Action:```json'],
    close: ['```'],
    bodies: [jsonCalls],
    at: 'line',
    isBare: true,
  },
};
