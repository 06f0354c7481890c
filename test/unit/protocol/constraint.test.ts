import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import type { ToolSpec } from '../../../src/contracts/tool';
import { constrainToCall } from '../../../src/protocol/constraint';
import { dialectOf, formatsWithDialect } from '../../../src/protocol/dialects';
import { readReply } from '../../../src/protocol/reader';
import { schemas } from '../../fixtures/protocol/schemas';
import { offered } from '../../fixtures/protocol/tools';
import { createWriter } from '../../support/gbnf';
import { createRandom } from '../../support/random';

const dialects = formatsWithDialect.map(({ id, dialect }) => ({ id, dialect }));

describe.for(schemas)('the grammar for a tool with these arguments: $name', ({ schema }) => {
  const tool: ToolSpec = { name: 'do_it', title: 'Do it', description: 'Does it.', inputSchema: schema };
  const validator = new Validator(schema, '2020-12');

  test.for(dialects)(
    'it allows only valid calls that match the schema, in the prompt format $id',
    ({ dialect }) => {
      const constraint = constrainToCall({ name: 'do_it' }, [tool], dialect, 256);
      const write = createWriter(constraint?.grammar ?? '', createRandom());
      for (let run = 0; run < 100; run++) {
        const reply = write();
        const calls = readReply(reply, [tool]).flatMap((event) =>
          event.type === 'tool-call' ? [event.call] : [],
        );
        expect(calls).toMatchObject([{ type: 'tool-call', name: 'do_it' }]);
        const [call] = calls;
        const written = call?.type === 'tool-call' ? call.arguments : undefined;
        expect(validator.validate(written), `${reply} ${JSON.stringify(written)}`).toMatchObject({
          valid: true,
        });
      }
    },
  );
});

describe('constraining a reply to a call', () => {
  const hermes = dialectOf('hermes');
  const ember = dialectOf('ember');

  test.for([
    {
      name: 'the model may choose whether to call a tool',
      choice: 'auto' as const,
      tools: offered,
      dialect: hermes,
    },
    {
      name: 'the model must not call, and was told of no tools',
      choice: 'none' as const,
      tools: offered,
      dialect: hermes,
    },
    { name: 'there are no tools', choice: 'auto' as const, tools: [], dialect: hermes },
    { name: 'the required tool is not offered', choice: { name: 'rm' }, tools: offered, dialect: hermes },
  ])('is omitted if $name', ({ choice, tools, dialect }) => {
    expect(constrainToCall(choice, tools, dialect, 100)).toBeUndefined();
  });

  test('allows every tool for the tool choice "required"', () => {
    const grammar = constrainToCall('required', offered, ember, 100)?.grammar ?? '';
    const write = createWriter(grammar, createRandom());
    const names = Array.from({ length: 200 }, () => /"name":"(\w+)"/.exec(write())?.[1]);
    expect(new Set(names)).toEqual(new Set(offered.map(({ name }) => name)));
  });

  test("makes all strings share the reply's token limit, so that a call can end", () => {
    const grammar = constrainToCall({ name: 'create_note' }, offered, ember, 96)?.grammar ?? '';
    const lengths = [...grammar.matchAll(/character\{0,(\d+)\}/g)].map(([, length]) => Number(length));
    expect(Math.max(...lengths)).toBeLessThan(30);
  });
});
