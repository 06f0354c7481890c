/** MiniMax' leak: `[TOOL_CALL]⏎{tool => "f", args => {⏎--q "x"⏎}}⏎[/TOOL_CALL]`. */
import { arrowCall } from '../codecs/arrow-call';
import { jsonCalls } from '../codecs/json-calls';
import type { ToolCallFormat } from '../format';

export const arrow: ToolCallFormat = {
  id: 'arrow',
  reading: { open: ['[TOOL_CALL]'], close: ['[/TOOL_CALL]'], bodies: [arrowCall, jsonCalls], at: 'anywhere' },
};
