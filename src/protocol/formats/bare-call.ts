/** A call without a mark: `f(a=1)`, `f(a: 1)`, `f{"a": 1}`, and GLM-4's `f⏎{"a": 1}`. */
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';

export const bareCall: ToolCallFormat = {
  id: 'pythonic',
  reading: {
    open: [],
    opensByTool: 'name',
    close: [],
    bodies: [pythonCalls, namedValue],
    at: 'line',
    opensBody: true,
    isBare: true,
    endsLine: true,
  },
};
