/** Stands before every call: lets it through, asks the person, or refuses it with a sentence the model can act on. */
import type { CallStep, Interceptor } from '../../contracts/interceptor';
import type { Message, ToolCall } from '../../contracts/message';
import type { ApprovalAnswer, ApprovalRequest, Grant } from '../../contracts/permission';
import type { ToolOutput } from '../../contracts/tool';
import type { ToolFailure } from '../../contracts/tool-failure';
import { type ChatContext, contextOf } from './context';
import { type CallFacts, decide, type Decision, maxDenials, type Question, switchedOff } from './decide';

export interface PermissionOptions {
  /** Rejects when `signal` aborts. */
  ask: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;
  grants: {
    list: () => Promise<readonly Grant[]>;
    add: (grant: Grant) => Promise<void>;
  };
  newId: () => string;
  /** Milliseconds since the epoch. */
  date: () => number;
}

type Verdict = 'go' | { block: string; failure: ToolFailure };

/**
 * Once for the page: a person is asked one thing at a time, whichever chat asks. The interceptor it gives is for one
 * turn; what was contacted and refused in it is forgotten with it.
 */
export function createPermissions({ ask, grants, newId, date }: PermissionOptions) {
  const inTurn = createQueue();
  // Without what was allowed for good, each call is asked about: that is safe, and seen.
  const listGrants = () => grants.list().catch(() => []);

  /** What was allowed is written down; if it cannot be, it counts for this call alone, and the next one asks again. */
  async function keep(question: Question, call: CallFacts, chatId: string | null): Promise<void> {
    const { tool, revision } = call;
    for (const target of question.grantTargets) {
      const grant = { id: newId(), tool, revision, target, chatId, createdAt: date() };
      await grants.add(grant).catch(() => undefined);
    }
  }

  return {
    forTurn(chatId: string): Interceptor {
      const readContext = createContextReader();
      /** Hosts that a call was let out to, the proxy among them. */
      const letOut = new WeakMap<ToolCall, readonly string[]>();
      const contacted = new Set<string>();
      const spent = { bits: 0, quoted: 0 };
      const denials = new Map<string, number>();

      async function before(call: ToolCall, step: CallStep): Promise<Verdict> {
        const { tool, effects, messages, signal, emit, path } = step;
        const facts = {
          tool: tool.name,
          revision: tool.revision ?? '',
          effects,
          input: call.arguments,
          inputSchema: tool.inputSchema,
        };
        const approved = new Set<string>();
        /** Of calls that are judged side by side each sees what those before it told. */
        const judge = async (): Promise<Question | Verdict> => {
          const known = { ...readContext(messages), grants: await listGrants(), denials: refused() };
          const decision = decide(facts, { ...known, chatId, contacted, approved, spent });
          return decision.verdict === 'ask' ? decision : settle(call, facts, decision);
        };
        const refused = () => denials.get(tool.name) ?? 0;

        const first = await judge();
        if (!isQuestion(first)) return first;
        emit({ type: 'tool-approval-request', call });
        return inTurn(async () => {
          for (;;) {
            signal.throwIfAborted();
            // Anew: what was answered meanwhile may answer this too.
            const question = await judge();
            if (!isQuestion(question)) return question;
            const { reason, targets, url, query, note, server, carried, offers } = question;
            const answer = await ask(
              {
                ...{
                  id: newId(),
                  chatId,
                  call,
                  toolTitle: tool.title,
                  reason,
                  targets,
                  url,
                  query,
                  note,
                  server,
                  carried,
                  offers,
                },
                ...('via' in effects && { via: effects.via }),
                ...(path && { path }),
                sources: readContext(messages).sources,
                isLastChance: refused() === maxDenials - 1,
              },
              signal,
            );
            if (answer === 'deny') {
              denials.set(tool.name, refused() + 1);
              if (refused() < maxDenials) return { block: refusal(tool.name, targets), failure: 'refused' };
              emit({ type: 'notice', code: 'tool-off' });
              return { block: switchedOff(tool.name), failure: 'refused-often' };
            }
            if (answer !== 'once' && offers.includes(answer)) {
              await keep(question, facts, answer === 'chat' ? chatId : null);
            }
            // A call to several addresses is asked about one by one; any other is asked about whole.
            if (url === undefined) {
              return settle(call, facts, {
                verdict: 'allow',
                hosts: hostsOf(facts),
                tells: { bits: 0, quoted: 0 },
              });
            }
            approved.add(url);
          }
        });
      }

      function settle(
        call: ToolCall,
        { effects }: CallFacts,
        decision: Exclude<Decision, Question>,
      ): Verdict {
        if (decision.verdict === 'deny') return { block: decision.reason, failure: 'refused-often' };
        const { hosts, tells } = decision;
        for (const host of hosts) contacted.add(host);
        spent.bits += tells.bits;
        spent.quoted += tells.quoted;
        // The proxy is heard too, but an address on it is one like any other.
        letOut.set(call, 'via' in effects ? [...hosts, effects.via] : hosts);
        return 'go';
      }

      /** Whatever came of it: a server that was asked speaks by its errors too. */
      function after(call: ToolCall, output: ToolOutput): Promise<ToolOutput> {
        const sources = [...new Set([...(output.sources ?? []), ...(letOut.get(call) ?? [])])];
        return Promise.resolve(sources.length === 0 ? output : { ...output, sources });
      }

      return { before, after };
    },
  };
}

function isQuestion(judged: Question | Verdict): judged is Question {
  return typeof judged === 'object' && 'verdict' in judged;
}

/** Where an allowed call goes that was asked about as a whole. */
function hostsOf({ effects }: CallFacts): readonly string[] {
  switch (effects.type) {
    case 'search':
      return effects.providers.map(({ host }) => host);
    case 'net-hosts':
      return effects.hosts;
    case 'remote':
      return [effects.host];
    case 'side-effect':
      return effects.hosts ?? [];
    case 'pure':
    case 'agent':
    case 'net-read':
      return [];
  }
}

function refusal(tool: string, targets: readonly string[]): string {
  const where = targets.length > 0 ? ` to ask ${targets.join(', ')}` : '';
  return `The user did not allow ${tool}${where}. Answer without it.`;
}

/** All calls of one reply come with the same messages: they are read once. */
function createContextReader(): (messages: readonly Message[]) => ChatContext {
  let last: { messages: readonly Message[]; context: ChatContext } | undefined;
  return (messages) => {
    if (last?.messages !== messages) last = { messages, context: contextOf(messages) };
    return last.context;
  };
}

/** One task after the other, also after one that failed. */
function createQueue(): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}
