/** Calls as two lines, a key with the name and a key with the arguments: Chinese prompts, ReAct, Qwen 1. */
import { isRecord } from '../tool-index';
import { readWhole } from '../value-reader';
import type { BodyCodec, Verdict, WrittenCall } from '../format';

interface Keys {
  id: string;
  name: string;
  arguments: string;
}

interface Lines {
  name: string;
  rest: string;
  argumentsAt: number;
}

function splitterOf(keys: Keys): (body: string) => Lines | undefined {
  const lead = new RegExp(
    `^\\s*${keys.name}\\s*[:：][ \\t*]*([^\\n:：{}]{1,80}?)[ \\t]*\\n\\s*${keys.arguments}\\s*[:：][ \\t*\`]*`,
    'u',
  );
  return (body) => {
    const found = lead.exec(body);
    if (found?.[1] === undefined) return undefined;
    const name = found[1].replace(/^[`"'*]+|[`"'*]+$/g, '');
    return { name, rest: body.slice(found[0].length), argumentsAt: found[0].length };
  };
}

function partialOf(keys: Keys): RegExp {
  return new RegExp(`^\\s*[^\\n]{0,${keys.name.length + 90}}(?:\\n[^\\n{["]{0,40})?$`, 'u');
}

export function keyLines(keys: Keys): BodyCodec {
  const split = splitterOf(keys);
  const partial = partialOf(keys);
  return {
    id: keys.id,
    begins(head): Verdict {
      const found = split(head);
      if (!found) return partial.test(head) ? 'more' : 'no';
      if (found.rest.trim() === '') return 'more';
      return /^\s*\{/.test(found.rest) ? 'yes' : 'no';
    },
    ends: 'brackets',
    read(body, { isClosed }): WrittenCall[] | undefined {
      const found = split(body);
      const value = found && readWhole(found.rest, { mayClose: isClosed });
      if (!value || !isRecord(value.value)) return undefined;
      return [{ name: found.name, named: value.value, repairs: value.repairs }];
    },
    peek(head) {
      const found = split(head);
      return found && { name: found.name, argumentsAt: found.argumentsAt };
    },
  };
}

/** Key lines whose argument is a single text, up to the end of the line. */
export function keyLinesOfText(keys: Keys): BodyCodec {
  const split = splitterOf(keys);
  const partial = partialOf(keys);
  return {
    id: `${keys.id}-text`,
    begins(head): Verdict {
      const found = split(head);
      if (!found) return partial.test(head) ? 'more' : 'no';
      if (found.rest.trim() === '') return 'more';
      return /^\s*\{/.test(found.rest) ? 'no' : 'yes';
    },
    ends: 'line',
    read(body): WrittenCall[] | undefined {
      const found = split(body);
      const text = found?.rest
        .trim()
        .replace(/`$/, '')
        .replace(/^(["'])(.*)\1$/s, '$2');
      if (!found || text === undefined || /^(?:$|\{)/.test(text)) return undefined;
      return [{ name: found.name, named: {}, text, repairs: [], isGuess: true }];
    },
  };
}

export const chineseKeyLines = keyLines({
  id: 'chinese-keys',
  name: '(?:工具名称|工具名|工具)',
  arguments: '(?:工具参数|参数)',
});
