/** Interceptor before every call: allows the call, asks the user, or refuses it with a message for the model. */
import type { CallStep } from '../../contracts/turn';
import type { CallPermission, Message, ToolCall } from '../../contracts/message';
import { type Origin, withoutRepeats } from '../../contracts/origin';
import type { ApprovalAnswer, ApprovalRequest, Grant } from '../../contracts/permission';
import type { ToolOutput } from '../../contracts/tool';
import type { ToolFailure } from '../../contracts/tool-failure';
import { type ChatContext, readChatContext } from './context';
import {
  type CallFacts,
  decide,
  type Decision,
  maxDenials,
  type AskDecision,
  writeToolOffMessage,
} from './decide';

export interface PermissionOptions {
  ask: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;
  grants: { list: () => Promise<readonly Grant[]>; add: (grant: Grant) => Promise<void> };
  newId: () => string;
  date: () => number;
}

export type TurnPermission = ReturnType<ReturnType<typeof createPermissionGate>['forTurn']>;

type Verdict = 'go' | { block: string; failure: ToolFailure; permission: CallPermission };

/** Create one gate per page, so the user gets one question at a time, even if several chats ask. */
export function createPermissionGate({ ask, grants, newId, date }: PermissionOptions) {
  const inTurn = createQueue();
  // If we cannot read the grants, we ask about every call, which is safe.
  const listGrants = () => grants.list().catch(() => []);

  /** If storing fails, the answer covers only this call, and the next call asks again. */
  async function storeGrants(question: AskDecision, call: CallFacts, chatId: string | null): Promise<void> {
    const { tool, revision } = call;
    for (const target of question.grantTargets) {
      const grant = { id: newId(), tool, revision, target, chatId, createdAt: date() };
      await grants.add(grant).catch(() => undefined);
    }
  }

  return {
    forTurn(chatId: string) {
      const readContext = createContextReader();
      /** Origins of the text that each call was allowed to fetch, including the proxy. */
      const contactedBy = new WeakMap<ToolCall, readonly Origin[]>();
      const permissionByCall = new WeakMap<ToolCall, CallPermission>();
      const contacted = new Set<string>();
      const spent = { bits: 0, quoted: 0 };
      const denials = new Map<string, number>();
      const refused = ({ tool }: CallStep) => denials.get(tool.name) ?? 0;
      const ahead = new Map<string, { request: ApprovalRequest; answer: ApprovalAnswer }>();

      /** Decides whether a call may run. Considers how much the turn's other calls, including parallel ones, have already revealed to hosts. */
      async function weigh(call: ToolCall, step: CallStep, approved: ReadonlySet<string>) {
        const known = { ...readContext(step), denials: refused(step), chatId };
        const facts = toCallFacts(call, step);
        const state = { ...known, contacted, approved, spent, grants: await listGrants() };
        const decision = decide(facts, state);
        const isByRule =
          decision.verdict === 'deny' || decide(facts, { ...state, grants: [] }).verdict !== 'ask';
        return { decision, by: isByRule ? ('rule' as const) : ('kept' as const) };
      }

      function requestFor(call: ToolCall, step: CallStep, question: AskDecision): ApprovalRequest {
        const { tool, effects, path } = step;
        const { reason, targets, url, query, note, server, carried, offers } = question;
        const asked = { reason, targets, url, query, note, server, carried, offers };
        return {
          id: newId(),
          chatId,
          call,
          toolTitle: tool.title,
          ...asked,
          ...('via' in effects && { via: effects.via }),
          ...(path && { path }),
          origins: readContext(step).origins,
          isLastChance: refused(step) === maxDenials - 1,
        };
      }

      /** Resolves to the first question that a call would raise. Undefined if it would run or be refused without one. */
      async function preview(call: ToolCall, step: CallStep): Promise<ApprovalRequest | undefined> {
        const { decision } = await weigh(call, step, new Set());
        return decision.verdict === 'ask' ? requestFor(call, step, decision) : undefined;
      }

      /** If the user has answered exactly this question in advance, returns that answer. Otherwise, asks the user. */
      async function answerTo(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
        const early = ahead.get(request.call.id);
        ahead.delete(request.call.id);
        return early && isSameQuestion(early.request, request) ? early.answer : ask(request, signal);
      }

      async function before(call: ToolCall, step: CallStep): Promise<Verdict> {
        const { signal, emit } = step;
        const { name } = step.tool;
        const facts = toCallFacts(call, step);
        const approved = new Set<string>();
        let answered: CallPermission | undefined;
        const judge = async (): Promise<AskDecision | Verdict> => {
          const { decision, by } = await weigh(call, step, approved);
          return decision.verdict === 'ask' ? decision : settle(call, facts, decision, answered ?? { by });
        };

        const first = await judge();
        if (!isQuestion(first)) return first;
        emit({ type: 'tool-approval-request', call });
        const askedAt = date();
        return inTurn(async () => {
          for (;;) {
            signal.throwIfAborted();
            // Decide again: while this call waited, the user's answer about another call may have covered it.
            const question = await judge();
            if (!isQuestion(question)) return question;
            const { targets, url, offers } = question;
            const answer = await answerTo(requestFor(call, step, question), signal);
            answered = { by: 'person', answer, waitedMs: date() - askedAt };
            if (answer === 'deny') {
              denials.set(name, refused(step) + 1);
              if (refused(step) < maxDenials)
                return { block: writeRefusal(name, targets), failure: 'refused', permission: answered };
              emit({ type: 'notice', code: 'tool-off' });
              return { block: writeToolOffMessage(name), failure: 'refused-often', permission: answered };
            }
            if (answer !== 'once' && offers.includes(answer)) {
              await storeGrants(question, facts, answer === 'chat' ? chatId : null);
            }
            // If the question was not about an address, the answer covers the whole call. Otherwise, continue with the next address.
            if (url === undefined) {
              const allowed = { hosts: listTargetHosts(facts), disclosure: { bits: 0, quoted: 0 } };
              return settle(call, facts, { verdict: 'allow', ...allowed }, answered);
            }
            approved.add(url);
          }
        });
      }

      function settle(
        call: ToolCall,
        { effects }: CallFacts,
        decision: Exclude<Decision, AskDecision>,
        permission: CallPermission,
      ): Verdict {
        if (decision.verdict === 'deny')
          return { block: decision.reason, failure: 'refused-often', permission };
        permissionByCall.set(call, permission);
        const { hosts, disclosure } = decision;
        for (const host of hosts) contacted.add(host);
        spent.bits += disclosure.bits;
        spent.quoted += disclosure.quoted;
        // Name the proxy as a source of the text, but not as a contacted host: the user approved none of its addresses.
        const asked = 'via' in effects ? [...hosts, effects.via] : hosts;
        const server = effects.type === 'remote' && { door: 'server' as const, serverId: effects.serverId };
        contactedBy.set(
          call,
          asked.map((name) => ({ ...(server || { door: 'page' as const }), name })),
        );
        return 'go';
      }

      /** Adds the contacted hosts even to a failed result: the server also wrote the error text. */
      function after(call: ToolCall, output: ToolOutput): Promise<ToolOutput> {
        const origins = withoutRepeats([...output.origins, ...(contactedBy.get(call) ?? [])]);
        const permission = permissionByCall.get(call);
        return Promise.resolve({ ...output, origins, ...(permission && { permission }) });
      }

      return {
        before,
        after,
        preview,
        answerAhead(request: ApprovalRequest, answer: ApprovalAnswer) {
          ahead.set(request.call.id, { request, answer });
        },
      };
    },
  };
}

function toCallFacts({ arguments: input }: ToolCall, { tool, effects }: CallStep): CallFacts {
  const { name, revision = '', inputSchema } = tool;
  return { tool: name, revision, effects, input, inputSchema };
}

function isSameQuestion(one: ApprovalRequest, other: ApprovalRequest): boolean {
  return JSON.stringify({ ...one, id: '' }) === JSON.stringify({ ...other, id: '' });
}

function isQuestion(outcome: AskDecision | Verdict): outcome is AskDecision {
  return typeof outcome === 'object' && 'verdict' in outcome;
}

function listTargetHosts({ effects }: CallFacts): readonly string[] {
  switch (effects.type) {
    case 'search':
      return effects.providers.map(({ host }) => host);
    case 'remote':
      return [effects.host];
    case 'net-hosts':
    case 'side-effect':
      return effects.hosts ?? [];
    case 'pure':
    case 'agent':
    case 'net-read':
      return [];
  }
}

function writeRefusal(tool: string, targets: readonly string[]): string {
  const where = targets.length > 0 ? ` to ask ${targets.join(', ')}` : '';
  return `The user did not allow ${tool}${where}. Answer without it.`;
}

function createContextReader(): (step: CallStep) => ChatContext {
  let last: { messages: readonly Message[]; context: ChatContext } | undefined;
  return ({ messages, promptOrigins }) => {
    if (last?.messages !== messages) last = { messages, context: readChatContext(messages, promptOrigins) };
    return last.context;
  };
}

function createQueue(): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}
