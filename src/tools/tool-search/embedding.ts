/** Finds tools by vectors that a model makes of what they say: those that point the same way as the query's. */
import type { Embed, ToolSearcher, ToolSpec, ToolVectors } from '../../contracts/tool';
import { untilAborted } from '../../contracts/until-aborted';
import { stampOfText } from './stamp-of-text';

export interface EmbeddingSearcher extends ToolSearcher {
  /** Whether all tools are vectors by now: until then a search waits. */
  readonly isRead: boolean;
  /** Makes vectors of those that have none yet, one reading for all who ask. Rejects as `embed` does. */
  read: () => Promise<void>;
  /** Reads first what is not read yet. Rejects as `embed` does, and with the reason of the signal. */
  search: (query: string, limit: number, signal: AbortSignal) => ReturnType<ToolSearcher['search']>;
  /** As far as it has read. */
  toStored: () => ToolVectors;
}

interface EmbeddingOptions {
  /** Id of the model behind `embed`. */
  model: string;
  embed: Embed;
  /** Of an earlier visit; of no use where another model made them. */
  stored: ToolVectors | undefined;
  /** Ends the reading. */
  life: AbortSignal;
  /** There is more to be stored. */
  onRead: () => void;
}

interface Read {
  stamp: string;
  /** Of length 1. */
  vector: Float32Array;
}

/** A query waits for no more tools than these, and what was read before the page was left is not lost. */
const readAtOnce = 8;

export function createEmbeddingSearcher(options: EmbeddingOptions): EmbeddingSearcher {
  const { model, embed, stored, life, onRead } = options;
  const vectors = stored?.model === model ? vectorsIn(stored) : new Map<string, Read>();
  let byName = new Map<string, ToolSpec>();
  let reading: Promise<void> | undefined;

  const unread = () =>
    [...byName.values()].filter((tool) => vectors.get(tool.name)?.stamp !== stampOfText(textOf(tool)));

  /** Another file under the same id: none of what is kept can be compared with what it makes. */
  function forgetOthers({ length }: Float32Array): void {
    if ([...vectors.values()].some(({ vector }) => vector.length !== length)) vectors.clear();
  }

  async function readAll(): Promise<void> {
    for (let next = unread(); next.length > 0; next = unread()) {
      const texts = next.slice(0, readAtOnce).map(textOf);
      const made = await embed(texts, life);
      for (const [at, text] of texts.entries()) {
        const [tool, vector] = [next[at], made[at]];
        if (!tool || !vector) throw new TypeError(`${made.length} vectors for ${texts.length} texts.`);
        forgetOthers(vector);
        // By the text that was read: a tool that was changed meanwhile is read once more.
        if (byName.has(tool.name)) vectors.set(tool.name, { stamp: stampOfText(text), vector: unit(vector) });
      }
      onRead();
    }
  }

  const read = () => (reading ??= readAll().finally(() => (reading = undefined)));

  return {
    index(tools) {
      byName = new Map(tools.map((tool) => [tool.name, tool]));
      for (const name of vectors.keys()) if (!byName.has(name)) vectors.delete(name);
    },
    get isRead() {
      return unread().length === 0;
    },
    read,
    async search(query, limit, signal) {
      await untilAborted(read(), signal);
      const [made] = await embed([query], signal);
      if (!made) throw new TypeError('No vector for the query.');
      const asked = unit(made);
      forgetOthers(asked);
      await untilAborted(read(), signal);
      return [...vectors]
        .map(([name, { vector }]) => ({ name, score: product(asked, vector) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score)
        .slice(0, limit);
    },
    schemaOf: (name) => byName.get(name)?.inputSchema,
    toStored() {
      const length = [...vectors.values()][0]?.vector.length ?? 0;
      const numbers = new Float32Array(vectors.size * length);
      for (const [at, { vector }] of [...vectors.values()].entries()) numbers.set(vector, at * length);
      return {
        ...{ model, numbers, ids: [...vectors.keys()] },
        stamps: [...vectors.values()].map(({ stamp }) => stamp),
      };
    },
  };
}

/** What is said to people and models of when it is of use; not its parameters, which say little of that. */
function textOf({ title, description, examples = [] }: ToolSpec): string {
  return [title, description, ...examples.map(({ request }) => request)].join('\n');
}

function vectorsIn({ ids, stamps, numbers }: ToolVectors): Map<string, Read> {
  const length = numbers.length / ids.length;
  const vectors = new Map<string, Read>();
  if (!Number.isInteger(length)) return vectors;
  for (const [at, id] of ids.entries()) {
    const vector = numbers.slice(at * length, (at + 1) * length);
    vectors.set(id, { stamp: stamps[at] ?? '', vector });
  }
  return vectors;
}

/** Of length 1, so that a product of two is the cosine of the angle between them. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(product(vector, vector));
  return length > 0 ? vector.map((number) => number / length) : vector;
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (const [at, number] of one.entries()) sum += number * (other[at] ?? 0);
  return sum;
}
