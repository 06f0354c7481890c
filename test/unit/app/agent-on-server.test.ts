/** A sub-agent whose persona names a model on a server. The server answers, and nothing is loaded. */
import { describe, expect, test } from 'vitest';
import type { TurnDependencies } from '../../../src/app/run-turn';
import type { Message } from '../../../src/contracts/message';
import type { ChatModel } from '../../../src/contracts/model';
import type { ModelName } from '../../../src/contracts/model-library';
import type { Persona } from '../../../src/contracts/persona';
import type { Tool } from '../../../src/contracts/tool';
import { createAgentTool } from '../../../src/tools/personas/agent-tool';
import { personaContent } from '../../support/persona';
import { scriptedModel } from '../../support/scripted-model';
import { stageTurn } from '../../support/turn-stage';
import { small as large } from '../../support/web-llm-model';

const text = (text: string) => ({ type: 'text' as const, text });
const asks = (words: string): Message[] => [
  { role: 'user', content: [text(words)], origins: [{ door: 'typed' }] },
];

describe('a sub-agent that uses a model on a server', () => {
  const mine: ModelName = { id: 'mine', name: 'Mine', engine: 'endpoint', place: 'elsewhere', bytes: 0 };
  const persona: Persona = {
    id: 'p',
    createdAt: 1,
    updatedAt: 1,
    content: personaContent('Writer', { isTool: true, tools: [], model: mine }),
  };
  const asked = async (beside: Partial<TurnDependencies['beside']>, isThere = true) => {
    const agent = createAgentTool(persona, isThere ? { server: 'Mine', host: 'models.example' } : undefined);
    const call = {
      type: 'tool-call' as const,
      id: 'c',
      name: agent.name,
      arguments: { request: 'An ode' },
    };
    const personas = {
      find: async () => undefined,
      personaOf: (tool: Tool) => (tool === agent ? persona : undefined),
    };
    const changed = { personas, beside: { isThere: () => isThere, open: refuse, ...beside } };
    const staged = stageTurn(changed, [[call], [text('By the one that runs.')], [text('Done.')]], [agent]);
    const { items, result } = await staged.run(asks('Ask the writer.'));
    const told = result.find(({ role }) => role === 'tool');
    const answer = told?.role === 'tool' ? told.results[0] : undefined;
    return { ...staged, items, answer };
  };
  const refuse = () => Promise.reject(new Error('It was opened.'));

  test('gets its answer from the server, not from the loaded model', async () => {
    const server = scriptedModel([text('O spring!')]);
    const spec = { ...large, id: 'mine', name: 'Mine' };
    const { answer, model, items } = await asked({ open: async () => ({ spec, model: server }) });
    expect(answer).toMatchObject({ content: [text('O spring!')], isError: false, byAgent: true });
    expect(answer?.origins).toEqual([{ door: 'endpoint', name: 'models.example' }]);
    expect(server.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(model.requests).toHaveLength(2);
    expect(items).toContainEqual(
      expect.objectContaining({ agent: { title: 'Writer', model: mine, answeredBy: mine } }),
    );
  });

  test("uses the loaded model if the server's model no longer exists", async () => {
    const { answer, model, items } = await asked({}, false);
    expect(answer).toMatchObject({ content: [text('By the one that runs.')] });
    expect(answer?.origins).toEqual([{ door: 'agent', name: 'Writer' }]);
    expect(model.requests).toHaveLength(3);
    expect(items).toContainEqual(expect.objectContaining({ agent: { title: 'Writer', model: mine } }));
  });

  test('returns an error to its caller if the server fails', async () => {
    const spec = { ...large, id: 'mine' };
    const failing: ChatModel = {
      async *respond() {
        const message = { role: 'assistant' as const, content: [], finishReason: 'error' as const };
        const usage = { promptTokens: 1, prefilledTokens: 1, outputTokens: 0 };
        yield { type: 'finish', message: { ...message, errorMessage: '[endpoint-key] HTTP 401' }, usage };
      },
      measure: async () => ({ promptTokens: 1, limitTokens: 9000, droppedMessages: 0 }),
    };
    const { answer, model } = await asked({ open: async () => ({ spec, model: failing }) });
    expect(answer).toMatchObject({ isError: true, failure: 'agent' });
    expect(model.requests).toHaveLength(2);
  });
});
