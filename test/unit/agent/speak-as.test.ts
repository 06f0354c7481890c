/** What a model is sent when it answers as a persona, and what a very small model is not sent. */
import { expect, test } from 'vitest';
import { createPersonaStage, type PersonaStageOptions, type PersonaVoice } from '../../../src/agent/speak-as';
import type { Message, UserMessage } from '../../../src/contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../../../src/contracts/model';
import { scriptedModel } from '../../support/scripted-model';
import { createPipeline } from '../../../src/contracts/pipeline';

const question: UserMessage = {
  role: 'user',
  content: [{ type: 'text', text: 'What time is it?' }],
  origins: [{ door: 'typed' }],
};
const voice: PersonaVoice = { instructions: 'You are a fox.', sampling: {}, language: null };
const schema = { type: 'object', properties: { title: { type: 'string' } } };
const large = { sampling: { temperature: 0.7, topP: 0.9 } };

async function asked(
  spoken: PersonaVoice | undefined,
  options: Partial<PersonaStageOptions> = {},
  request: Partial<ReplyRequest> = {},
): Promise<ReplyRequest> {
  const model = scriptedModel([]);
  const persona = createPipeline(
    model,
    spoken ? [createPersonaStage(spoken, { spec: () => large, isSmall: () => false, ...options })] : [],
  );
  const events = persona.respond(
    { messages: [question], tools: [], toolChoice: 'none', ...request },
    new AbortController().signal,
  );
  let last: ModelEvent | undefined;
  for await (const event of events) last = event;
  expect(last?.type).toBe('finish');
  return model.requests[0]!;
}
const systemIn = ({ messages }: ReplyRequest) =>
  messages[0]?.role === 'system' ? messages[0].content : undefined;

test("the prompt begins with the persona's instructions, word for word", async () => {
  expect(systemIn(await asked({ ...voice, instructions: ' You are a fox. {{date}}\n' }))).toBe(
    'You are a fox. {{date}}',
  );
  expect(await asked({ ...voice, instructions: '' })).toMatchObject({ messages: [question] });
  expect(await asked(undefined)).toMatchObject({ messages: [question] });
});

test.for([
  ['en', 'You are a fox.\n\nAnswer in English.'],
  ['zh', 'You are a fox.\n\n用中文回答。'],
  ['fr', 'You are a fox.'],
])("the prompt asks for answers in the persona's language if it is known: %s", async ([language, system]) => {
  expect(systemIn(await asked({ ...voice, language: language! }))).toBe(system);
});

test("a persona's answer is constrained to its output schema only when it is called as a tool", async () => {
  const typed = { ...voice, outputSchema: schema };
  expect(systemIn(await asked(typed))).toBe('You are a fox.');
  expect(systemIn(await asked(typed, { isCalledAsTool: true }))).toContain(JSON.stringify(schema));
  expect((await asked(typed, { isCalledAsTool: true })).answer).toBeUndefined();
  expect((await asked(typed, { isCalledAsTool: true, isConstrained: true })).answer).toEqual(schema);
});

test("the persona's sampling settings replace those of the model", async () => {
  expect((await asked(voice)).sampling).toBeUndefined();
  const chosen = { ...voice, sampling: { temperature: 0.1 } };
  expect((await asked(chosen)).sampling).toEqual({ temperature: 0.1, topP: 0.9 });
});

test("a very small model that replaces the persona's model gets no persona instructions", async () => {
  const typed = { ...voice, sampling: { temperature: 0 }, outputSchema: schema };
  const request = await asked(typed, {
    isSmall: () => true,
    isCalledAsTool: true,
    isConstrained: true,
  });
  expect(request).toEqual({ messages: [question], tools: [], toolChoice: 'none' });
});

test("the measured size of a prompt includes the persona's instructions", async () => {
  const measured: (readonly Message[])[] = [];
  const model: ChatModel = {
    ...scriptedModel(),
    measure(messages) {
      measured.push(messages);
      return Promise.resolve({ promptTokens: 1, limitTokens: 2, droppedMessages: 0 });
    },
  };
  await createPipeline(model, [
    createPersonaStage(voice, { spec: () => large, isSmall: () => false }),
  ]).measure([question], []);
  expect(measured[0]?.map(({ role }) => role)).toEqual(['system', 'user']);
});
