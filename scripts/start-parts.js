/**
 * Decides into which files the app is bundled. The bundler would make a file of each dynamically imported module and of what any two share: 240
 * files, half of them below 1 kB, and each costs a request. This plugin groups them into three loads: the shell (what the page begins with), the app,
 * and the heavy parts, one per feature. The app has four files, in the order in which a visit needs them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizePath } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * The files of the app, with the modules that each begins with. A file also contains their static imports, except those in the shell or an earlier
 * file, so no file waits for a later one.
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
  // Everything that a turn needs, and everything that shows a turn before the user presses anything.
  'agent-runtime': [
    'src/app/agent-runtime.ts',
    // The build also works without the folder of the small model.
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

/** Modules that load separately when a feature first needs them, together with the modules that only they import. */
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
 * Returns the given modules and everything that they import statically.
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
 * Returns the modules that a visit may import dynamically, in any number of steps, without the heavy ones.
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
 * The plugin reads the imports. The groups are for the output option `codeSplitting`.
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
      // `fileOf` already contains the dependencies.
      includeDependenciesRecursively: false,
    })),
  };
}
