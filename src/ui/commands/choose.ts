/** Chooses the commands that the palette shows, and remembers recently run commands. */
import { readStored, writeStored } from '../parts/stored-text';

const commandGroups = ['actions', 'chats', 'prompts', 'personas', 'models', 'tools', 'settings'] as const;
export type CommandGroup = (typeof commandGroups)[number] | 'recent';

export interface Command {
  /** Must stay the same in later versions, because we store the ids of recent commands. */
  id: string;
  group: (typeof commandGroups)[number];
  name: string;
  synonyms?: string;
  detail?: string | undefined;
  run: () => unknown;
}

interface CommandList {
  group: CommandGroup;
  commands: readonly Command[];
}

const maxCommandsPerGroup = 12;
const maxShownRecents = 5;
const maxRecents = 8;

/** Returns the matching commands, best group first. For an empty query, recent commands come first. */
export function chooseCommands(
  commands: readonly Command[],
  typed: string,
  recent: readonly string[],
): CommandList[] {
  const query = foldForMatching(typed.trim());
  if (query === '') return listCommandsForEmptyQuery(commands, recent);
  const found = new Map<CommandGroup, { command: Command; score: number }[]>();
  for (const command of commands) {
    const { name, synonyms } = foldedNamesOf(command);
    const score = Math.max(scoreOf(query, name), synonyms === undefined ? 0 : scoreOf(query, synonyms) - 5);
    if (score <= 0) continue;
    const all = found.get(command.group) ?? [];
    all.push({ command, score: score + (recent.includes(command.id) ? 3 : 0) });
    found.set(command.group, all);
  }
  return [...found]
    .map(([group, all]) => {
      // The sort is stable, so chats with equal scores stay in order, newest first.
      const best = all.sort((one, other) => other.score - one.score).slice(0, maxCommandsPerGroup);
      return { group, commands: best.map(({ command }) => command), score: best[0]?.score ?? 0 };
    })
    .sort((one, other) => other.score - one.score);
}

export function readRecentCommands(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(readStored(recentStorageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, maxRecents) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const others = readRecentCommands().filter((other) => other !== id);
  writeStored(recentStorageKey, JSON.stringify([id, ...others].slice(0, maxRecents)));
}

const recentStorageKey = 'hearth.recent';

/** Removes case, accents and full-width forms. */
export function foldForMatching(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Returns how well a name matches a query, from 0 (a word is missing) to 100. First call `foldForMatching` on the query and the name. */
export function scoreOf(query: string, name: string): number {
  if (query === '') return 1;
  if (name === query) return 100;
  if (name.startsWith(query)) return 90;
  const words = query.split(/\s+/).filter(Boolean);
  return Math.min(80, ...words.map((word) => scoreOfWord(word, name)));
}

function scoreOfWord(word: string, name: string): number {
  if (!name.includes(word)) return word.length > 1 && hasLettersInOrder(word, name) ? 30 : 0;
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1))
    if (isWordStart(name, at)) return 80;
  return 60;
}

/** Chinese has no spaces between words, so a word may start at any Han character. */
function isWordStart(name: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(name.charAt(at - 1)) || /\p{Script=Han}/u.test(name.charAt(at));
}

/** True if `word` joins beginnings of the name's words, in order. Example: `nec` joins `ne` and `c` of `new chat`. */
function hasLettersInOrder(word: string, name: string): boolean {
  let from = 0;
  for (const letter of word) {
    let at = name.indexOf(letter, from);
    while (at >= 0 && at !== from && !isWordStart(name, at)) at = name.indexOf(letter, at + 1);
    if (at < 0 || (from === 0 && !isWordStart(name, at))) return false;
    from = at + letter.length;
  }
  return true;
}

/** A cache, because every keystroke may need the folded names of ten thousand chats. */
const foldedNames = new WeakMap<Command, Pick<Command, 'name' | 'synonyms'>>();

function foldedNamesOf(command: Command): Pick<Command, 'name' | 'synonyms'> {
  const known = foldedNames.get(command);
  if (known) return known;
  const { name, synonyms } = command;
  const names = {
    name: foldForMatching(name),
    ...(synonyms !== undefined && { synonyms: foldForMatching(synonyms) }),
  };
  foldedNames.set(command, names);
  return names;
}

function listCommandsForEmptyQuery(commands: readonly Command[], recent: readonly string[]): CommandList[] {
  const recentOnes = recent
    .flatMap((id) => commands.find((command) => command.id === id) ?? [])
    .slice(0, maxShownRecents);
  const rest = commandGroups.map((group) => ({
    group,
    commands: commands
      .filter((command) => command.group === group && !recentOnes.includes(command))
      .slice(0, group === 'chats' ? maxShownRecents : group === 'actions' ? 40 : maxCommandsPerGroup),
  }));
  return [{ group: 'recent' as const, commands: recentOnes }, ...rest].filter(
    (list) => list.commands.length > 0,
  );
}
