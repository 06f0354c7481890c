/** PURE: which commands the palette shows for what is typed. */
import { fold, scoreOf } from './rank';

const commandGroups = [
  'recent',
  'actions',
  'chats',
  'prompts',
  'personas',
  'models',
  'tools',
  'settings',
] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface Command {
  /** The same in every visit. */
  id: string;
  group: Exclude<CommandGroup, 'recent'>;
  name: string;
  /** Other words it is found by. */
  also?: string;
  detail?: string | undefined;
  run: () => unknown;
}

/** Of each group: more than a person looks through. */
const mostOfGroup = 12;
const mostRecent = 5;

/** Names fold once, not with every letter: there may be ten thousand. */
const folded = new WeakMap<Command, readonly string[]>();

function namesOf(command: Command): readonly string[] {
  const known = folded.get(command);
  if (known) return known;
  const names = [fold(command.name), ...(command.also === undefined ? [] : [fold(command.also)])];
  folded.set(command, names);
  return names;
}

/** Groups in the order of their best; nothing typed, what was chosen last comes first. */
export function chooseCommands(
  commands: readonly Command[],
  typed: string,
  recent: readonly string[],
): { group: CommandGroup; commands: readonly Command[] }[] {
  const query = fold(typed.trim());
  if (query === '') return atFirst(commands, recent);
  const found = new Map<CommandGroup, { command: Command; score: number }[]>();
  for (const command of commands) {
    const [name = '', also] = namesOf(command);
    // A synonym is worth a little less than the name itself; what was chosen lately a little more.
    const score = Math.max(scoreOf(query, name), also === undefined ? 0 : scoreOf(query, also) - 5);
    if (score <= 0) continue;
    const all = found.get(command.group) ?? [];
    all.push({ command, score: score + (recent.includes(command.id) ? 3 : 0) });
    found.set(command.group, all);
  }
  return [...found]
    .map(([group, all]) => {
      // The sort is stable: of equals the order stays, which of chats is the newest first.
      const best = all.sort((one, other) => other.score - one.score).slice(0, mostOfGroup);
      return { group, commands: best.map(({ command }) => command), score: best[0]?.score ?? 0 };
    })
    .sort((one, other) => other.score - one.score);
}

function atFirst(commands: readonly Command[], recent: readonly string[]) {
  const lately = recent
    .flatMap((id) => commands.find((command) => command.id === id) ?? [])
    .slice(0, mostRecent);
  const rest = commandGroups.map((group) => ({
    group,
    commands: commands
      .filter((command) => command.group === group && !lately.includes(command))
      .slice(0, group === 'chats' ? mostRecent : group === 'actions' ? 40 : mostOfGroup),
  }));
  return [{ group: 'recent' as const, commands: lately }, ...rest].filter((one) => one.commands.length > 0);
}
