import { expect, test } from 'vitest';
import { toolNameOf } from '../../../src/contracts/persona';

test.for([
  ['Writer', 'writer'],
  ['typed_writer', 'typed_writer'],
  ['Code reviewer', 'code_reviewer'],
  ['  Dr. Müller — tutor! ', 'dr_müller_tutor'],
  ['作家', '作家'],
  ['🦊', ''],
  ['a'.repeat(80), 'a'.repeat(64)],
])('the tool name of a persona: "%s" becomes "%s"', ([name, tool]) => {
  expect(toolNameOf({ name: name! })).toBe(tool);
});
