/**
 * What every visit loads after the shell, in few files. The bundler makes a file of each part that is loaded by itself, and one of what any two
 * share: some hundred for a visit, of which each costs a request, and, on a host with HTTP/1.1, a wait for one of six connections.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizePath } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * The files in the order in which a visit wants them, and the modules that each begins with. Into a file goes what those import, if it is
 * neither in the shell nor in a file before it: so no file waits for a later one.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const parts = {
  'first-list': [
    'src/app/first-list.ts',
    'src/ui/chats/Rail.svelte',
    'src/ui/commands/Commands.svelte',
    'src/ui/chat/ChatHead.svelte',
    'src/ui/chat/EmptyChat.svelte',
  ],
  'open-store': ['src/store/open-store.ts', 'src/app/late-functions.ts', 'src/app/persona-functions.ts'],
  'agent-runtime': [
    'src/app/agent-runtime.ts',
    // The build works without the folder of the small model.
    ...(existsSync(join(root, 'src/ember')) ? ['src/ember/index.ts'] : []),
    'src/app/launch.ts',
    'src/app/temporary-chats.ts',
    'src/state/attach-files.ts',
  ],
  RowButtons: [
    'src/ui/chat/RowButtons.svelte',
    'src/ui/chat/AttachButton.svelte',
    'src/ui/chat/dictation/DictateButton.svelte',
    'src/ui/prompts/PromptsButton.svelte',
  ],
  Conversation: ['src/ui/chat/Conversation.svelte', 'src/ui/chat/ContextGauge.svelte'],
  'at-rest': [
    'src/app/at-rest.ts',
    'src/app/search-runtime.ts',
    'src/app/backup-functions.ts',
    'src/app/storage-functions.ts',
  ],
  // What follows comes with the first screen that is opened.
  'late-screens': [
    'src/ui/late-screens.ts',
    ...['BackToChat', 'Column', 'Field', 'Fold', 'Notice', 'Switch'].map(
      (part) => `src/ui/parts/${part}.svelte`,
    ),
  ],
  'mcp-runtime': ['src/app/mcp-runtime.ts', 'src/app/mcp-functions.ts', 'src/state/servers.svelte.ts'],
  ToolsScreen: ['src/ui/tools/ToolsScreen.svelte', 'src/app/custom-tool-functions.ts'],
};

/**
 * What a module imports, and what that imports; not what it loads later.
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
 * The plugin reads what imports what; the groups are for `codeSplitting` of the output.
 * @returns {{ plugin: import('vite').Plugin, groups: import('vite').Rolldown.CodeSplittingGroup[] }}
 */
export function createStartParts() {
  /** @type {Map<string, string>} Of a module: its file. */
  const fileOf = new Map();
  return {
    plugin: {
      name: 'start-parts',
      apply: 'build',
      buildEnd(error) {
        if (error) return;
        const ids = [...this.getModuleIds()];
        const shell = withImports(
          this,
          ids.filter((id) => this.getModuleInfo(id)?.isEntry),
        );
        for (const id of shell) if (/node_modules|^\0/.test(id)) fileOf.set(id, 'svelte');
        for (const [file, begins] of Object.entries(parts)) {
          const starts = begins.map((name) => normalizePath(join(root, name)));
          const gone = starts.find((id) => !this.getModuleInfo(id));
          if (gone) this.error(`${gone} is no module of the page: see scripts/start-parts.js`);
          for (const id of withImports(this, starts)) {
            if (!shell.has(id) && !fileOf.has(id)) fileOf.set(id, file);
          }
        }
      },
    },
    groups: ['svelte', ...Object.keys(parts)].map((file) => ({
      name: file,
      test: (id) => fileOf.get(id) === file,
      // They are in it already.
      includeDependenciesRecursively: false,
    })),
  };
}
