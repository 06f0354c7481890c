/** Asks for the answer to a tool result as the app does: the page answers if it can copy, else Ember's weights do. Driven by `run.js`. */
import { answerFromResults } from '../../src/ember/tell-results';
import { createPageStage } from '../../src/ember/page-stage';
import type { Message } from '../../src/contracts/message';
import { specOf, type ToolSpec } from '../../src/contracts/tool';
import { ember } from '../../src/ember/spec';
import { createLlama } from '../../src/engines/llama/engine';
import { createChatModel } from '../../src/protocol/chat-model';
import { createBuiltinTools } from '../../src/tools/registry';
import { builtinParts } from '../../test/support/outside';
import { findDebris } from './debris';
import { neverInDoubt } from '../../test/support/never-in-doubt';
import { createPipeline } from '../../src/contracts/pipeline';

/** A line of results.jsonl. */
interface AnswerCase {
  tool: string;
  question: string;
  result: string;
  isError?: boolean;
  language: 'en' | 'zh';
  /** The text that the answer must contain, or '' if any answer will do. */
  fact: string;
}

const never = new AbortController().signal;
const own = createBuiltinTools(builtinParts())
  .filter(({ isForLargerModels, isCalledByPage }) => !isForLargerModels && !isCalledByPage)
  .map(specOf);
const engine = createLlama();
let model: ReturnType<typeof createChatModel> | undefined;

async function load(): Promise<void> {
  const file = { ...ember.file, path: new URL(ember.file.path, document.baseURI).href };
  await engine.load({ ...ember, file }, { signal: never, onProgress: () => undefined });
  model = createChatModel(engine, ember, () => crypto.randomUUID());
}

function messagesOf({ tool, question, result, isError = false }: AnswerCase): Message[] {
  const call = { type: 'tool-call' as const, id: 'call-1', name: tool, arguments: { about: question } };
  const results = [
    {
      toolCallId: call.id,
      toolName: tool,
      content: [{ type: 'text' as const, text: result }],
      isError,
      origins: [{ door: 'hearth' as const }],
      // Every failed call of a third-party tool has a reason.
      ...(isError && { failure: 'server' as const }),
    },
  ];
  return [
    { role: 'user', content: [{ type: 'text', text: question }], origins: [{ door: 'typed' }] },
    { role: 'assistant', content: [call], finishReason: 'tool-calls' },
    { role: 'tool', results, nonce: '1a2b3c4d' },
  ];
}

async function ask(given: AnswerCase) {
  if (!model) throw new Error('No model is loaded.');
  const spec: ToolSpec = {
    name: given.tool,
    title: given.tool,
    description: `Gives what is asked of it: ${given.tool.replaceAll('_', ' ')}.`,
    inputSchema: { type: 'object', properties: { about: { type: 'string' } }, required: ['about'] },
  };
  const messages = messagesOf(given);
  const speaker = createPipeline(model, [
    createPageStage({
      isSmall: () => true,
      calls: undefined,
      reply: () => ({ text: '', suggestions: [] }),
      answer: (asked) => answerFromResults(asked, given.language),
      fails: () => Promise.resolve(false),
      hasToolsOff: false,
      newId: () => 'new',
      rephrase: () => ({ text: '', suggestions: [] }),
      doubt: neverInDoubt,
    }),
  ]);
  const request = {
    messages,
    tools: [...own, ...(own.some(({ name }) => name === given.tool) ? [] : [spec])],
    toolChoice: 'auto' as const,
  };
  for await (const event of speaker.respond(request, never)) {
    if (event.type !== 'finish') continue;
    const { content, finishReason } = event.message;
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const debris = [...findDebris(text, given.result), ...(finishReason === 'stop' ? [] : [finishReason])];
    return { text, debris, by: event.usage.heldTo, isTrue: text.includes(given.fact) };
  }
  throw new Error(`No end of: ${given.question}`);
}

Object.assign(window, { load, ask });
