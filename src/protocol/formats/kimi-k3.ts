/** Kimi K3: `<|open|>call tool="f" index="1"<|sep|><|open|>argument key="q" type="string"<|sep|>x<|close|>argument<|sep|>…`. */
import { attributedArguments } from '../codecs/attributed-arguments';
import type { ToolCallFormat } from '../format';

export const kimiK3: ToolCallFormat = {
  id: 'kimi-k3',
  reading: {
    open: ['<|open|>tools<|sep|>', '<|open|>call '],
    close: ['<|close|>call<|sep|>', '<|close|>tools<|sep|>'],
    bodies: [attributedArguments],
    at: 'anywhere',
  },
};
