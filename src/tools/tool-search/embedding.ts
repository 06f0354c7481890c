/** Finds tools by meaning: compares the query's embedding with those of the tool texts. */
import type { ToolSpec, Embed, FoundTool, ToolVectors } from '../../contracts/tool';
import { untilAborted } from '../../contracts/until-aborted';
import { hashText, exampleRequestsOf } from './lexical';

export type EmbeddingSearcher = ReturnType<typeof createEmbeddingSearcher>;

type StoredVector = { stamp: string; vector: Float32Array };

/** With small batches, queries run sooner, and less work is lost when the page closes. */
const toolsPerBatch = 8;

export function createEmbeddingSearcher(options: {
  model: string;
  embed: Embed;
  /** Vectors from an earlier session. Ignored if another model made them. */
  stored: ToolVectors | undefined;
  life: AbortSignal;
  /** Runs after each batch, so the caller can store the new vectors. */
  onRead: () => void;
}) {
  const { model, embed, stored, life, onRead } = options;
  const vectors = stored?.model === model ? readVectors(stored) : new Map<string, StoredVector>();
  let byName = new Map<string, ToolSpec>();
  let reading: Promise<void> | undefined;

  const unread = () =>
    [...byName.values()].filter((tool) => vectors.get(tool.name)?.stamp !== hashText(embeddingTextOf(tool)));

  /** Drops all vectors if their length differs from this one's: the model's file has changed under the same id. */
  function forgetOthers({ length }: Float32Array): void {
    if ([...vectors.values()].some(({ vector }) => vector.length !== length)) vectors.clear();
  }

  async function readAll(): Promise<void> {
    for (let next = unread(); next.length > 0; next = unread()) {
      const texts = next.slice(0, toolsPerBatch).map(embeddingTextOf);
      const made = await embed(texts, life);
      for (const [at, text] of texts.entries()) {
        const [tool, vector] = [next[at], made[at]];
        if (!tool || !vector) throw new TypeError(`${made.length} vectors for ${texts.length} texts.`);
        forgetOthers(vector);
        // Store the hash of the text that we embedded. If the tool has changed in the meantime, we embed it again.
        if (byName.has(tool.name))
          vectors.set(tool.name, { stamp: hashText(text), vector: toUnitLength(vector) });
      }
      onRead();
    }
  }

  /** Concurrent calls share one run. Rejects as `embed` does. */
  const read = () => (reading ??= readAll().finally(() => (reading = undefined)));

  return {
    index(tools: readonly ToolSpec[]) {
      byName = new Map(tools.map((tool) => [tool.name, tool]));
      for (const name of vectors.keys()) if (!byName.has(name)) vectors.delete(name);
    },
    get isRead() {
      return unread().length === 0;
    },
    read,
    /** Computes missing vectors first. Rejects as `embed` does, or with the signal's reason. */
    async search(query: string, limit: number, signal: AbortSignal): Promise<FoundTool[]> {
      await untilAborted(read(), signal);
      const [made] = await embed([query], signal);
      if (!made) throw new TypeError('No vector for the query.');
      const asked = toUnitLength(made);
      forgetOthers(asked);
      await untilAborted(read(), signal);
      return [...vectors]
        .map(([name, { vector }]) => ({ name, score: dotProduct(asked, vector) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score)
        .slice(0, limit);
    },
    toStored(): ToolVectors {
      const values = [...vectors.values()];
      const length = values[0]?.vector.length ?? 0;
      const numbers = new Float32Array(values.length * length);
      for (const [at, { vector }] of values.entries()) numbers.set(vector, at * length);
      return { model, numbers, ids: [...vectors.keys()], stamps: values.map(({ stamp }) => stamp) };
    },
  };
}

/** Leaves out parameters, which reveal little about when to use a tool. */
function embeddingTextOf(tool: ToolSpec): string {
  return [tool.title, tool.description, ...exampleRequestsOf(tool)].join('\n');
}

function readVectors({ ids, stamps, numbers }: ToolVectors): Map<string, StoredVector> {
  const length = numbers.length / ids.length;
  const vectors = new Map<string, StoredVector>();
  if (!Number.isInteger(length)) return vectors;
  for (const [at, id] of ids.entries()) {
    const vector = numbers.slice(at * length, (at + 1) * length);
    vectors.set(id, { stamp: stamps[at] ?? '', vector });
  }
  return vectors;
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dotProduct(vector, vector));
  return length > 0 ? vector.map((number) => number / length) : vector;
}

function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (const [at, number] of one.entries()) sum += number * (other[at] ?? 0);
  return sum;
}

/** The usual constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
const rankDamping = 60;

/** Merges rankings (best first) by rank, because scores of different searches are not comparable. */
export function fuseRanks(...rankings: readonly (readonly Pick<FoundTool, 'name'>[])[]): FoundTool[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [at, { name }] of ranking.entries()) {
      scores.set(name, (scores.get(name) ?? 0) + 1 / (rankDamping + at + 1));
    }
  }
  return [...scores].map(([name, score]) => ({ name, score })).sort((one, other) => other.score - one.score);
}
