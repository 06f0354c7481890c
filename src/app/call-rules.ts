/** The interceptors around every tool call, in their order. */
import type { Interceptor } from '../contracts/turn';
import type { ToolStatistics } from '../contracts/tool';
import {
  type CallCache,
  createCallCache,
  createCallStatistics,
  createDoorCheck,
} from '../tools/interceptors';
import {
  createPermissions,
  type PermissionOptions,
  type TurnPermission,
} from '../tools/permissions/permission';

/** Chat id of calls from the tool editor. */
const noChat = '';

interface CallRulesParts extends PermissionOptions {
  isOnline: () => boolean;
  /** Why the gate refuses an address to a tool. Undefined if it does not. */
  refuse: (url: string, tool: string) => string | undefined;
  /** Called with what a call adds to its tool's statistics. */
  recordCall: (added: ToolStatistics) => void;
  /** Milliseconds, from any start. */
  now: () => number;
}

export interface TurnRules extends Pick<TurnPermission, 'preview' | 'answerAhead'> {
  /** Interceptors of each call, outermost first. */
  around: readonly Interceptor[];
}

export interface CallRules {
  inChat: (chatId: string) => TurnRules;
  /** For a call from the tool editor: the user is asked as in a chat. */
  inEditor: () => Interceptor;
  forgetCall: CallCache['forget'];
}

export function createCallRules(parts: CallRulesParts): CallRules {
  const { isOnline, refuse, recordCall, now, ...options } = parts;
  const permissions = createPermissions({
    ...options,
    // A call outside a chat cannot be allowed for a chat.
    ask: ({ offers, ...request }, signal) =>
      options.ask(
        { ...request, offers: offers.filter((offer) => offer !== 'chat' || request.chatId !== noChat) },
        signal,
      ),
  });
  const doorCheck = createDoorCheck(isOnline, refuse);
  const cache = createCallCache(options.date);
  const statistics = createCallStatistics(recordCall, now);
  return {
    // The order matters: a refused call reaches no other interceptor, and a cached answer is not counted.
    inChat(chatId) {
      const permission = permissions.forTurn(chatId);
      return {
        around: [doorCheck, permission, cache, statistics],
        answerAhead: permission.answerAhead,
        // Never asks about a call that the door check blocks.
        preview: async (call, step) =>
          (await doorCheck.before(call, step)) === 'go' ? permission.preview(call, step) : undefined,
      };
    },
    inEditor: () => permissions.forTurn(noChat),
    forgetCall: cache.forget,
  };
}
