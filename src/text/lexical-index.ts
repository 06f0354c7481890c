/** PURE: full-text search with BM25F ranking. The score of an entry combines all its fields and its best line. */
import { splitPair, searchTerms, searchTermsVersion } from './search-terms';

interface IndexEntry {
  id: string;
  /** Changes with the content. We do not read an entry again if its id and stamp are unchanged. */
  stamp: string;
  read: () => { fields: readonly IndexField[]; lines: readonly string[] };
}

/** Returns extra terms such as `=7`. Words with the same meaning share such a term, so a query also finds texts that use other words. */
type FindMeaningTerms = (terms: readonly string[]) => readonly string[];

export interface IndexField {
  text: string;
  weight: number;
  /** Number of terms in a typical field. Each term of a longer field counts less. */
  usual: number;
}

/** The stored form: plain arrays that allow structured cloning. Invalid after a change of `searchTermsVersion`. */
export type StoredIndex = ReturnType<LexicalIndex['toStored']>;

interface TermPosting {
  documents: number[] | Uint32Array;
  weights: number[] | Float32Array;
  entries: number;
}

export interface Ranking {
  /** A term with this weight reaches half of its maximum score. */
  saturation: number;
  /** How much a field's length lowers the score, from 0 to 1. */
  lengthShare: number;
  lineLengthShare: number;
  lineWeight: number;
  lineShare: number;
  nearShare: number;
  meaningShare: number;
  characterShare: number;
}

interface IndexOptions {
  ranking: Ranking;
  stored?: StoredIndex | undefined;
  meaningsOf?: FindMeaningTerms;
  /** The only query that this index must answer. It then stores only terms that can match. */
  onlyFor?: string;
}

const typicalTermsPerLine = 5;

export class LexicalIndex {
  #ids: string[] = [];
  #stamps: string[] = [];
  #owners: number[] = [];
  #postings = new Map<string, TermPosting>();
  #nearTerms: ((term: string) => string[]) | undefined;
  // Every search reuses these arrays, to avoid garbage collection.
  #scores = new Float64Array(0);
  #best = new Float64Array(0);

  readonly #ranking: Ranking;
  readonly #meaningsOf: FindMeaningTerms;
  readonly #isKept: (term: string) => boolean;

  constructor({ ranking, stored, meaningsOf = () => [], onlyFor }: IndexOptions) {
    this.#ranking = ranking;
    this.#meaningsOf = meaningsOf;
    this.#isKept = onlyFor === undefined ? () => true : this.#termsFor(onlyFor);
    if (stored?.version === searchTermsVersion) this.#load(stored);
  }

  /** Replaces all content. Returns whether anything changed. */
  update(entries: readonly IndexEntry[]): boolean {
    const known = new Map(this.#ids.map((id, at) => [id, at]));
    const kept = new Set<number>();
    const added: IndexEntry[] = [];
    for (const entry of entries) {
      const at = known.get(entry.id);
      if (at !== undefined && this.#stamps[at] === entry.stamp) kept.add(at);
      else added.push(entry);
    }
    if (kept.size < this.#ids.length) this.#keepOnly(kept);
    for (const entry of added) this.#add(entry);
    const isChanged = added.length > 0 || kept.size < known.size;
    if (isChanged) this.#settle();
    return isChanged;
  }

  /** Returns the best entries first. For equal scores, the order of indexing decides. */
  search(query: string, limit: number): { id: string; score: number }[] {
    const touched: number[] = [];
    for (const [posting, share] of this.#postingsOf(query)) this.#score(posting, share, touched);
    const entries = this.#gather(touched);
    const hits = entries.map((entry) => ({ entry, score: this.#best[entry] ?? 0 }));
    for (const entry of entries) this.#best[entry] = 0;
    hits.sort((a, b) => b.score - a.score || a.entry - b.entry);
    return hits.slice(0, limit).map(({ entry, score }) => ({ id: this.#ids[entry] ?? '', score }));
  }

  toStored() {
    const postings = [...this.#postings.values()];
    const starts = new Uint32Array(postings.length + 1);
    for (const [at, { documents }] of postings.entries())
      starts[at + 1] = (starts[at] ?? 0) + documents.length;
    return {
      version: searchTermsVersion,
      ids: [...this.#ids],
      stamps: [...this.#stamps],
      /** For each document, the number of its entry. An entry's first document contains its fields, each other one contains one line. */
      owners: Uint32Array.from(this.#owners),
      /** Separated by line breaks. The documents of `terms[n]` are in `documents`, from `starts[n]` to `starts[n + 1]`. */
      terms: [...this.#postings.keys()].join('\n'),
      starts,
      documents: Uint32Array.from(postings.flatMap(({ documents }) => Array.from(documents))),
      weights: Float32Array.from(postings.flatMap(({ weights }) => Array.from(weights))),
    };
  }

  #load({ ids, stamps, owners, terms, starts, documents, weights }: StoredIndex): void {
    this.#ids = [...ids];
    this.#stamps = [...stamps];
    this.#owners = Array.from(owners);
    const names = terms === '' ? [] : terms.split('\n');
    for (const [at, term] of names.entries()) {
      const [from, to] = [starts[at], starts[at + 1]];
      this.#postings.set(term, {
        documents: documents.subarray(from, to),
        weights: weights.subarray(from, to),
        entries: 0,
      });
    }
    this.#settle();
  }

  #add({ id, stamp, read }: IndexEntry): void {
    const entry = this.#ids.push(id) - 1;
    this.#stamps.push(stamp);
    const { fields, lines } = read();
    const { lengthShare, lineLengthShare, lineWeight: weight } = this.#ranking;
    const weights = new Map<string, number>();
    for (const field of fields) this.#weigh(field, lengthShare, weights);
    this.#addDocument(entry, weights);
    for (const text of lines) {
      const own = new Map<string, number>();
      this.#weigh({ text, weight, usual: typicalTermsPerLine }, lineLengthShare, own);
      this.#addDocument(entry, own);
    }
  }

  #weigh({ text, weight, usual }: IndexField, share: number, weights: Map<string, number>): void {
    const terms = searchTerms(text);
    const each = weight / (1 - share + (share * terms.length) / usual);
    const add = (term: string) => {
      if (this.#isKept(term)) weights.set(term, (weights.get(term) ?? 0) + each);
    };
    for (const term of terms) {
      add(term);
      for (const character of splitPair(term)) add(character);
    }
    for (const meaning of this.#meaningsOf(terms)) add(meaning);
  }

  #termsFor(query: string): (term: string) => boolean {
    const terms = searchTerms(query);
    const exact = new Set([...terms, ...terms.flatMap(splitPair), ...this.#meaningsOf(terms)]);
    const isNear = createNearTermFilter(terms);
    return (term) => exact.has(term) || isNear(term);
  }

  #addDocument(entry: number, weights: ReadonlyMap<string, number>): void {
    const document = this.#owners.push(entry) - 1;
    for (const [term, weight] of weights) {
      const posting = this.#postings.get(term);
      if (!posting) {
        this.#postings.set(term, { documents: [document], weights: [weight], entries: 0 });
        continue;
      }
      // A stored index has typed arrays, which cannot grow.
      if (!Array.isArray(posting.documents)) posting.documents = Array.from(posting.documents);
      if (!Array.isArray(posting.weights)) posting.weights = Array.from(posting.weights);
      posting.documents.push(document);
      posting.weights.push(weight);
    }
  }

  #keepOnly(kept: ReadonlySet<number>): void {
    const entries = [...kept].sort((a, b) => a - b);
    const entryNow = new Map(entries.map((entry, at) => [entry, at]));
    const documentNow = new Map<number, number>();
    const owners: number[] = [];
    for (const [document, owner] of this.#owners.entries()) {
      const now = entryNow.get(owner);
      if (now !== undefined) documentNow.set(document, owners.push(now) - 1);
    }
    for (const [term, { documents, weights }] of this.#postings) {
      const left = { documents: [] as number[], weights: [] as number[], entries: 0 };
      for (const [at, document] of documents.entries()) {
        const now = documentNow.get(document);
        if (now === undefined) continue;
        left.documents.push(now);
        left.weights.push(weights[at] ?? 0);
      }
      if (left.documents.length > 0) this.#postings.set(term, left);
      else this.#postings.delete(term);
    }
    this.#ids = entries.map((entry) => this.#ids[entry] ?? '');
    this.#stamps = entries.map((entry) => this.#stamps[entry] ?? '');
    this.#owners = owners;
  }

  #settle(): void {
    for (const posting of this.#postings.values()) {
      let last = -1;
      posting.entries = 0;
      for (const document of posting.documents) {
        const owner = this.#owners[document] ?? -1;
        if (owner !== last) posting.entries++;
        last = owner;
      }
    }
    this.#nearTerms = undefined;
    this.#scores = new Float64Array(this.#owners.length);
    this.#best = new Float64Array(this.#ids.length);
  }

  *#postingsOf(query: string): Generator<[TermPosting, number]> {
    const { meaningShare, characterShare, nearShare } = this.#ranking;
    const terms = searchTerms(query);
    const shares = new Map(terms.map((term) => [term, 1]));
    for (const meaning of this.#meaningsOf(terms)) shares.set(meaning, meaningShare);
    for (const character of terms.flatMap(splitPair)) {
      if (!shares.has(character)) shares.set(character, characterShare);
    }
    for (const [term, share] of shares) {
      const posting = this.#postings.get(term);
      if (posting) yield [posting, share];
      else if (share === 1) yield* this.#near(term).map((near) => [near, nearShare] as [TermPosting, number]);
    }
  }

  #near(term: string): TermPosting[] {
    this.#nearTerms ??= createNearTermFinder(this.#postings.keys());
    return this.#nearTerms(term).flatMap((near) => this.#postings.get(near) ?? []);
  }

  #score({ documents, weights, entries }: TermPosting, share: number, touched: number[]): void {
    const rarity = Math.log(1 + (this.#ids.length - entries + 0.5) / (entries + 0.5)) * share;
    const scores = this.#scores;
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] ?? 0;
      const weight = weights[at] ?? 0;
      if (scores[document] === 0) touched.push(document);
      scores[document] = (scores[document] ?? 0) + (rarity * weight) / (this.#ranking.saturation + weight);
    }
  }

  #gather(touched: number[]): number[] {
    const entries: number[] = [];
    const add = (entry: number, score: number) => {
      if (this.#best[entry] === 0) entries.push(entry);
      this.#best[entry] = (this.#best[entry] ?? 0) + score;
    };
    touched.sort((a, b) => a - b);
    let owner = -1;
    let line = 0;
    for (const document of touched) {
      const entry = this.#owners[document] ?? 0;
      const score = this.#scores[document] ?? 0;
      this.#scores[document] = 0;
      if (entry !== owner) {
        if (line > 0) add(owner, line * this.#ranking.lineShare);
        [owner, line] = [entry, 0];
      }
      const isFields = this.#owners[document - 1] !== entry;
      if (isFields) add(entry, score);
      else line = Math.max(line, score);
    }
    if (line > 0) add(owner, line * this.#ranking.lineShare);
    return entries;
  }
}

const minTermCharacters = 3;
const maxNearTerms = 4;

/** Finds terms that an unknown term may mean: longer terms with the same start, or terms that differ by a typing error. */
export function createNearTermFinder(terms: Iterable<string>): (term: string) => string[] {
  const sorted = [...terms].filter((term) => /^\p{L}/u.test(term) && !/\d/.test(term)).sort();
  const byStart = new Map<string, string[]>();
  for (const term of sorted) {
    const start = term.slice(0, 1);
    const bucket = byStart.get(start);
    if (bucket) bucket.push(term);
    else byStart.set(start, [term]);
  }

  return (term) => {
    if (term.length < minTermCharacters || /\d/.test(term)) return [];
    const longer = findTermsWithPrefix(term, sorted);
    if (longer.length > 0) return longer;
    const bucket = byStart.get(term.slice(0, 1)) ?? [];
    return findClosestTerms(term, bucket, term.length < 9 ? 1 : 2);
  };
}

/** Creates a filter for terms that may be similar to one of `terms`: long enough, and with the same first letter. */
function createNearTermFilter(terms: readonly string[]): (other: string) => boolean {
  const starts = new Set(
    terms.filter((term) => term.length >= minTermCharacters).map((term) => term.slice(0, 1)),
  );
  return (other) => other.length >= minTermCharacters && starts.has(other.slice(0, 1));
}

function findTermsWithPrefix(term: string, sorted: readonly string[]): string[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < term) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (let at = low; sorted[at]?.startsWith(term) === true; at++) found.push(sorted[at] ?? '');
  return found.sort((a, b) => a.length - b.length).slice(0, maxNearTerms);
}

function findClosestTerms(term: string, others: readonly string[], most: number): string[] {
  let least = most;
  let found: string[] = [];
  for (const other of others) {
    if (other.length < 4 || Math.abs(other.length - term.length) > least) continue;
    const slips = countTypos(term, other, least);
    if (slips > least) continue;
    if (slips < least) {
      least = slips;
      found = [];
    }
    found.push(other);
  }
  return found.slice(0, maxNearTerms);
}

/** Counts the letters to add, drop, change or swap to turn one word into the other, up to `most + 1`. */
export function countTypos(one: string, other: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    let fewest = row;
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let slips = Math.min(
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
      );
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        slips = Math.min(slips, (before[column - 2] ?? Infinity) + 1);
      next.push(slips);
      fewest = Math.min(fewest, slips);
    }
    if (fewest > most) return most + 1;
    before = last;
    last = next;
  }
  return Math.min(last[other.length] ?? 0, most + 1);
}
