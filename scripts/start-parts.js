/**
 * The files that a visit loads. The bundler makes a file of each module that is imported dynamically, and one of what any two share: 240 of
 * them, half below 1 kB, of which each costs a request. This puts them into three loads: the shell (what the page begins with), the app,
 * and what is heavy, feature by feature. The app comes in four files, in the order in which a visit needs them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizePath } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * The files of the app, and the modules that each begins with. A file also takes what those import statically, unless the shell or an earlier file
 * has it, so that no file waits for a later one.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const parts = {
  // The list of chats, and the screen of an empty chat.
  'first-list': [
    'src/app/first-list.ts',
    'src/ui/chats/Rail.svelte',
    'src/ui/commands/Commands.svelte',
    'src/ui/chat/ChatHead.svelte',
    'src/ui/chat/EmptyChat.svelte',
  ],
  'open-store': ['src/store/open-store.ts', 'src/app/on-demand-services.ts'],
  // All that a turn needs, and that shows it without a press.
  'agent-runtime': [
    'src/app/agent-runtime.ts',
    // The build works without the folder of the small model.
    ...(existsSync(join(root, 'src/ember')) ? ['src/ember/index.ts'] : []),
    'src/app/launch.ts',
    'src/app/temporary-chats.ts',
    'src/state/attach-files.ts',
    'src/ui/notices/AppNotices.svelte',
    'src/ui/permissions/AskedDialog.svelte',
    'src/ui/chat/chat-parts.ts',
    'src/ui/chat/ModelMenu.svelte',
  ],
};

/** Modules that are loaded by themselves, when a feature first needs them; what only they import goes with them. */
const heavy = [
  /^src\/ui\/i18n\//,
  /^src\/ui\/Framed\.svelte$/,
  /^src\/ui\/high-contrast\.css$/,
  /^src\/ui\/markdown\/(?:code|math)\//,
  /^src\/ui\/tools\/code-editor\.ts$/,
  /^src\/state\/claims\/turn-claims\.ts$/,
  /^src\/app\/(?:exam|mcp-runtime)/,
  /^src\/tools\/builtin\/clock\/places\.ts$/,
  /^src\/(?:tools|engines|protocol|egress)\//,
  /^(?:docs|node_modules)\//,
];

/**
 * Returns the given modules and all that they import statically.
 * @param {import('vite').Rolldown.PluginContext} context
 * @param {readonly string[]} ids
 */
function withImports(context, ids) {
  const found = new Set(ids);
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/**
 * Returns what a visit may import dynamically, in any number of steps, without what is heavy.
 * @param {import('vite').Rolldown.PluginContext} context
 * @param {readonly string[]} entries
 */
function dynamicImports(context, entries) {
  const isLight = (id) => {
    const name = id.startsWith(root) ? id.slice(root.length) : id;
    return id.startsWith(root) && !heavy.some((pattern) => pattern.test(name));
  };
  const begins = new Set(entries);
  for (const begin of begins) {
    for (const id of withImports(context, [begin])) {
      for (const later of context.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
        if (isLight(later)) begins.add(later);
    }
  }
  return [...begins].filter((id) => !entries.includes(id));
}

/**
 * The plugin reads what imports what; the groups are for `codeSplitting` of the output.
 * @returns {{ plugin: import('vite').Plugin, groups: import('vite').Rolldown.CodeSplittingGroup[] }}
 */
export function createStartParts() {
  /** @type {Map<string, string>} The file of each module. */
  const fileOf = new Map();
  return {
    plugin: {
      name: 'start-parts',
      apply: 'build',
      buildEnd(error) {
        if (error) return;
        const entries = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry);
        const shell = withImports(this, entries);
        for (const id of shell) if (/node_modules|^\0/.test(id)) fileOf.set(id, 'svelte');
        const add = (file, starts) => {
          for (const id of withImports(this, starts))
            if (!shell.has(id) && !fileOf.has(id)) fileOf.set(id, file);
        };
        for (const [file, begins] of Object.entries(parts)) {
          const starts = begins.map((name) => normalizePath(join(root, name)));
          const missing = starts.find((id) => !this.getModuleInfo(id));
          if (missing) this.error(`${missing} is no module of the page: see scripts/start-parts.js`);
          add(file, starts);
        }
        add('screens', dynamicImports(this, entries));
      },
    },
    groups: ['svelte', ...Object.keys(parts), 'screens'].map((file) => ({
      name: file,
      test: (id) => fileOf.get(id) === file,
      // They are in it already.
      includeDependenciesRecursively: false,
    })),
  };
}
