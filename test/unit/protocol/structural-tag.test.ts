import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import type { ToolSpec } from '../../../src/contracts/tool';
import { constrainToCall, constrainReply } from '../../../src/protocol/constraint';
import { dialectOf, formatsWithDialect } from '../../../src/protocol/dialects';
import { readReply } from '../../../src/protocol/reader';
import { schemas } from '../../fixtures/protocol/schemas';
import { offered } from '../../fixtures/protocol/tools';
import { createWriter } from '../../support/gbnf';
import { createRandom } from '../../support/random';
import { createTagWriter } from '../../support/xgrammar';

const dialects = formatsWithDialect.map(({ id, dialect }) => ({ id, dialect }));
const hermes = dialectOf('hermes');
const none = { type: 'object', properties: {}, additionalProperties: false };

function tool(name: string, inputSchema: ToolSpec['inputSchema']): ToolSpec {
  return { name, title: name, description: 'Does it.', inputSchema };
}

test('each tool has one structural tag with an opening marker, an argument grammar and a closing marker', () => {
  const tools = [tool('one', none), tool('two', none)];
  expect(constrainToCall('required', tools, hermes, 100)?.structuralTag).toEqual({
    type: 'structural_tag',
    format: {
      type: 'or',
      elements: ['one', 'two'].map((name) => ({
        type: 'tag',
        begin: `<tool_call>\n{"name": "${name}", "arguments": `,
        content: { type: 'grammar', grammar: 'root ::= "{}"' },
        end: '}\n</tool_call>',
      })),
    },
  });
});

test.for(dialects)('invariant: no WebLLM grammar has a repeat count above 20: $id', ({ dialect }) => {
  const long = { type: 'string', minLength: 30, maxLength: 4000 };
  const many = { type: 'array', items: long, maxItems: 100 };
  const wide = tool('wide', { type: 'object', properties: { long, many }, required: ['long', 'many'] });
  const all = [...offered, ...schemas.map(({ schema }, index) => tool(`tool_${index}`, schema)), wide];
  const tag = JSON.stringify(constrainToCall('required', all, dialect, 4096)?.structuralTag);
  const bounds = [...tag.matchAll(/\{(\d+)?(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [least, most]);
  expect(bounds.length).toBeGreaterThan(10);
  expect(Math.max(...bounds.map(Number).filter((bound) => bound > 0))).toBeLessThanOrEqual(20);
});

test('a small model without tools is constrained to the same prose in WebLLM as in llama.cpp', async () => {
  const tag = constrainReply([], [], dialectOf('ember')).structuralTag;
  expect(tag).toEqual({
    type: 'structural_tag',
    format: {
      type: 'grammar',
      grammar: String.raw`root ::= [^<\u2E80-\u9FFF\uF900-\uFAFF] [^<\u2E80-\u9FFF\uF900-\uFAFF]*`,
    },
  });
  const writer = await createTagWriter(tag);
  expect((await writer.write(createRandom(), 200)).text).toMatch(/^[^<]+$/);
  writer.dispose();
});

describe.for(schemas)("WebLLM's grammar for a tool with these arguments: $name", ({ schema }) => {
  const wanted = tool('do_it', schema);
  const validator = new Validator(schema, '2020-12');
  const expectFit = (reply: string) => {
    const calls = readReply(reply, [wanted]).flatMap((event) =>
      event.type === 'tool-call' ? [event.call] : [],
    );
    expect(calls, reply).toMatchObject([{ type: 'tool-call', name: 'do_it' }]);
    const written = calls[0]?.type === 'tool-call' ? calls[0].arguments : undefined;
    expect(validator.validate(written), reply).toMatchObject({ valid: true });
  };

  test.for(dialects)('it always gives a valid call, in the prompt format $id', async ({ dialect }) => {
    const tag = constrainToCall({ name: 'do_it' }, [wanted], dialect, 256)?.structuralTag;
    const writer = await createTagWriter(tag!);
    const random = createRandom();
    for (let run = 0; run < 3; run++) {
      const { text, isOver } = await writer.write(random, 3000);
      expect(isOver, text).toBe(true);
      expectFit(text);
    }
    writer.dispose();
  });

  test('it allows the same calls as the grammar for llama.cpp', () => {
    const format = constrainToCall({ name: 'do_it' }, [wanted], hermes, 256)?.structuralTag.format;
    if (format?.type !== 'or') throw new Error('no tags');
    const [tag] = format.elements;
    const write = createWriter(tag!.content.grammar, createRandom());
    for (let run = 0; run < 50; run++) expectFit(`${tag!.begin}${write()}${tag!.end}`);
  });
});

test(
  'a structural tag for several tools allows calls of exactly these tools',
  { timeout: 60_000 },
  async () => {
    const tag = constrainToCall('required', offered, hermes, 256)?.structuralTag;
    const writer = await createTagWriter(tag!);
    const random = createRandom();
    const names = new Set<string | undefined>();
    for (let run = 0; run < 24; run++) {
      const { text } = await writer.write(random, 3000);
      names.add(/"name": "(\w+)"/.exec(text)?.[1]);
    }
    writer.dispose();
    expect(names).toEqual(new Set(offered.map(({ name }) => name)));
  },
);
