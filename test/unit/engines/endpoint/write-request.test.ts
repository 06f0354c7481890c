/** Requests contain only what every server accepts: alternating roles, calls with results, no result without a call. */
import { describe, expect, test } from 'vitest';
import type { PromptMessage } from '../../../../src/contracts/model';
import { formatRequest, writeMessages, writeRequest } from '../../../../src/engines/endpoint/ask-server';

const user = (content: string): PromptMessage => ({ role: 'user', content });
const reply = (text: string, ...ids: string[]): PromptMessage => ({
  role: 'assistant',
  content: text,
  parts: { type: 'reply', text, calls: ids.map((id) => ({ id, name: 'clock', arguments: { zone: id } })) },
});
const results = (...ids: string[]): PromptMessage => ({
  role: 'tool',
  content: ids.join(),
  parts: { type: 'results', results: ids.map((id) => ({ id, text: `of ${id}` })) },
});
const wire = (...messages: PromptMessage[]) => writeMessages(messages);

describe('a request with tool calls as structured data', () => {
  test('it gives each call and its result the same id of nine letters and digits', () => {
    const written = wire(
      user('When?'),
      reply('', 'one', 'two'),
      results('one', 'two'),
      reply('Now.'),
      user('And?'),
    );
    expect(written.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ]);
    const calls = written[1]?.tool_calls ?? [];
    expect(calls.map((call) => call.function)).toEqual([
      { name: 'clock', arguments: '{"zone":"one"}' },
      { name: 'clock', arguments: '{"zone":"two"}' },
    ]);
    for (const { id } of calls) expect(id).toMatch(/^[a-z\d]{9}$/);
    expect(written.slice(2, 4)).toEqual([
      { role: 'tool', tool_call_id: calls[0]?.id, content: 'of one' },
      { role: 'tool', tool_call_id: calls[1]?.id, content: 'of two' },
    ]);
  });

  test('it keeps its beginning unchanged when the chat grows', () => {
    const chat = [user('When?'), reply('', 'one'), results('one'), reply('Now.'), user('And?')];
    expect(wire(...chat).slice(0, 3)).toEqual(wire(...chat.slice(0, 3)));
  });

  test('it contains a result as text if its call was dropped', () => {
    expect(wire(results('one'), user('And?'))).toEqual([{ role: 'user', content: 'of one\n\nAnd?' }]);
  });

  test.for([
    { name: 'before the next question', rest: [user('And?')] },
    { name: 'at the end', rest: [] },
    { name: 'if only some calls have results', rest: [results('one'), user('And?')] },
  ])('it adds a placeholder for a missing result: $name', ({ rest }) => {
    const written = wire(user('When?'), reply('', 'one', 'two'), ...rest);
    const asked = written[1]?.tool_calls?.map(({ id }) => id);
    expect(written.filter(({ role }) => role === 'tool').map(({ tool_call_id: id }) => id)).toEqual(asked);
  });

  test('it offers only the tool that must be called', () => {
    const specs = ['clock', 'calculator'].map((name) => ({
      name,
      title: name,
      description: 'D',
      inputSchema: {},
    }));
    const asked = { messages: [user('When?')], sampling: { temperature: 0 }, maxTokens: 9 };
    const one = writeRequest('m', { ...asked, tools: { specs, choice: { name: 'clock' } } });
    expect(one.tools?.map((tool) => tool.function.name)).toEqual(['clock']);
    expect(one.tool_choice).toBe('required');
    expect(writeRequest('m', { ...asked, tools: { specs, choice: 'none' } }).tool_choice).toBe('none');
    expect(writeRequest('m', asked)).not.toHaveProperty('tools');
  });
});

describe('a request with tool calls as text', () => {
  test('it contains results as user messages, and its roles alternate', () => {
    const tool: PromptMessage = { role: 'tool', content: 'It is 12.' };
    expect(
      wire(
        { role: 'system', content: 'S' },
        user('When?'),
        { role: 'assistant', content: '<tool_call>' },
        tool,
        user('And?'),
      ),
    ).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'When?' },
      { role: 'assistant', content: '<tool_call>' },
      { role: 'user', content: 'It is 12.\n\nAnd?' },
    ]);
  });

  test('it does not contain thoughts', () => {
    const thought = '<think>\nA sum.\n</think>\n\nIt is 42.';
    expect(wire(user('?'), { role: 'assistant', content: thought }, user('!'))[1]?.content).toBe('It is 42.');
  });

  test('it asks the model to continue a reply that was cut off', () => {
    const written = wire(user('?'), { role: 'assistant', content: 'It is' });
    expect(written.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(written[2]?.content).toContain('Go on exactly where it ends');
  });
});

describe('a request with pictures', () => {
  const seen = (text: string): PromptMessage => ({
    role: 'user',
    content: text,
    parts: {
      type: 'question',
      content: [
        { type: 'image', data: 'QUJD', mimeType: 'image/jpeg' },
        { type: 'text', text },
      ],
      pictureTokens: 10,
    },
  });
  const picture = { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,QUJD' } };
  const text = (said: string) => ({ type: 'text', text: said });

  test('it joins consecutive questions with and without pictures', () => {
    expect(wire(user('One'), seen('Two'))).toEqual([
      { role: 'user', content: [text('One'), picture, text('Two')] },
    ]);
    expect(wire(seen('One'), user('Two'), seen('Three'))).toEqual([
      { role: 'user', content: [picture, text('One'), text('Two'), picture, text('Three')] },
    ]);
  });

  test('it is displayed without the data of its pictures', () => {
    const request = writeRequest('m', { messages: [seen('A')], sampling: { temperature: 0 }, maxTokens: 1 });
    const written = formatRequest(request);
    expect(written).toContain('data:image/jpeg;base64,(27 characters)');
    expect(written).not.toContain('QUJD');
    expect(JSON.stringify(request)).toContain('QUJD');
  });
});
