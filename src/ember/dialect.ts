/** The prompt format of Ember, our own small model. Training used exactly this format: docs/decisions/2026-11-21-ember-dialect.md. */
import type { JsonSchema } from '../contracts/schema';
import { textOf } from '../contracts/message-parts';
import { neutralise } from '../text/neutralise';
import type { ToolSpec } from '../contracts/tool';
import type { Dialect, ToolCallFormat } from '../protocol/format';
import { fieldsOf, isRecord } from '../protocol/tool-index';

const maxDescriptionCodePoints = 100;

const listTools: Dialect['list'] = (tools) => tools.map(describeTool).join('\n');

const emberDialect: Dialect = {
  list: listTools,
  describe: listTools,
  frame: (name) => ({
    before: `<tool_call>{"name":${JSON.stringify(name)},"arguments":`,
    after: '}</tool_call>',
  }),
  writeCall: (call) => `<tool_call>${JSON.stringify(call)}</tool_call>`,
  // Ember was trained on results without tags or a nonce. Keep only the first text of a result: it contains the whole answer.
  writeResults: ({ results }, names) =>
    results
      .map(({ toolName, isError, content }) => {
        const text = neutralise(textOf(isError ? content : content.slice(0, 1)), names);
        return `${neutralise(toolName, names)}: ${isError ? 'error: ' : ''}${text}`;
      })
      .join('\n'),
};

export const emberFormat: ToolCallFormat = { id: 'ember', dialect: emberDialect };

/** Describes a tool in one line: `lamp(minutes: integer, mode?: warm|cold) Light the lamp for a while`. */
function describeTool({ name, description, inputSchema }: ToolSpec): string {
  const required = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
  const parameters = Object.entries(fieldsOf(inputSchema)).map(
    ([field, schema]) => `${field}${required.includes(field) ? '' : '?'}${describeType(schema)}`,
  );
  return `${name}(${parameters.join(', ')}) ${shortenDescription(description)}`.replace(/ $/, '');
}

function describeType(schema: JsonSchema): string {
  if (!isRecord(schema)) return '';
  const { enum: values, type } = schema;
  if (Array.isArray(values) && values.length > 0) {
    const written = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    return `: ${written.join('|')}`;
  }
  return typeof type === 'string' && type !== 'string' ? `: ${type}` : '';
}

function shortenDescription(description: string): string {
  const line = description.replace(/[ \t\n\r\f\v]+/g, ' ').replace(/^ | $/g, '');
  const [sentence = ''] = line.split(/(?<=。)|(?<=\.) /);
  const words = sentence.replace(/[.。]$/, '');
  return Array.from(words).slice(0, maxDescriptionCodePoints).join('').replace(/ +$/, '');
}
