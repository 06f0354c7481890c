/** What stands around every call of a tool, and in which order. */
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

/** Id of the chat, for calls that are made in none: those of the tool editor. */
const noChat = '';

interface CallRulesParts extends PermissionOptions {
  isOnline: () => boolean;
  /** Why the gate refuses an address to a tool; undefined where it does not. */
  refuse: (url: string, tool: string) => string | undefined;
  /** Is given what one call adds to the statistics of its tool. */
  recordCall: (added: ToolStatistics) => void;
  /** Milliseconds, from any start. */
  now: () => number;
}

/** Of one turn. */
export interface TurnRules extends Pick<TurnPermission, 'preview' | 'answerAhead'> {
  /** What stands around each call, outermost first. */
  around: readonly Interceptor[];
}

export interface CallRules {
  inChat: (chatId: string) => TurnRules;
  /** For one call from the tool editor: the person is asked as in a chat. */
  inEditor: () => Interceptor;
  forgetCall: CallCache['forget'];
}

export function createCallRules(parts: CallRulesParts): CallRules {
  const { isOnline, refuse, recordCall, now, ...options } = parts;
  const permissions = createPermissions({
    ...options,
    // A call that is in no chat has none to be allowed for.
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
    // In this order: what is not allowed reaches none of the others, and what is answered from the cache is not counted.
    inChat(chatId) {
      const permission = permissions.forTurn(chatId);
      return {
        around: [doorCheck, permission, cache, statistics],
        answerAhead: permission.answerAhead,
        // Nobody is asked about a call that could not get out.
        preview: async (call, step) =>
          (await doorCheck.before(call, step)) === 'go' ? permission.preview(call, step) : undefined,
      };
    },
    inEditor: () => permissions.forTurn(noChat),
    forgetCall: cache.forget,
  };
}
