/** Which layer may import which: the table of ARCHITECTURE.md, which says why. */
const layers = {
  'src/contracts': [],
  'src/text': [],
  'src/platform': ['src/contracts'],
  'src/protocol': ['src/contracts', 'src/text'],
  'src/agent': ['src/contracts', 'src/text'],
  'src/ember': ['src/contracts', 'src/text', 'src/protocol', 'src/agent', 'src/platform'],
  'src/egress': ['src/contracts', 'src/platform'],
  'src/engines': ['src/contracts', 'src/platform', 'src/egress'],
  'src/tools': ['src/contracts', 'src/platform', 'src/egress', 'src/text'],
  'src/store': ['src/contracts', 'src/text'],
  'src/search': ['src/contracts', 'src/platform', 'src/store'],
  'src/backup': ['src/contracts', 'src/text', 'src/platform', 'src/store'],
  'src/state': ['src/contracts'],
  'src/ui': ['src/contracts', 'src/state'],
  workers: [
    'src/contracts',
    'src/protocol',
    'src/engines',
    'src/egress',
    'src/tools',
    'src/search',
    'src/text',
    'src/platform',
    'src/backup',
  ],
};

/** The only places a package may be imported from. */
const owners = {
  zod: 'src/contracts/schema',
  dexie: '(src/(store|search)|test)/',
  comlink: '(src/(platform|engines|egress|tools|search|backup)|workers|test)/',
  svelte: '(src/(ui|state|main)|test)',
};

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([layer, allowed]) =>
      forbid(
        `${layer} imports`,
        { path: `^${layer}/` },
        { path: '^(src|workers)/', pathNot: `^(${[layer, ...allowed].join('|')})/` },
      ),
    ),
    ...Object.entries(owners).map(([name, owner]) =>
      forbid(
        `${name} has one owner`,
        { pathNot: [`^${owner}`, 'node_modules', '\\.config\\.'] },
        { path: `node_modules/${name}/` },
      ),
    ),
    forbid(
      'no layer but these',
      { path: '^src/' },
      { path: '^src/[^/]+/', pathNot: `^(${[...Object.keys(layers), 'src/app'].join('|')})/` },
    ),
    forbid(
      'only the composition root knows all',
      { path: '^(src|workers)/', pathNot: '^src/(main|app/)' },
      { path: '^src/(main|app/)' },
    ),
    forbid(
      'only a worker looks through results: of a long one it takes too long for the page',
      { path: '^src/', pathNot: '^src/tools/relevant-part/serve-parts\\.ts$' },
      {
        path: '^src/(text/relevant-part|tools/relevant-part/serve-parts)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'the build works without the small model: its folder is only reached by import.meta.glob',
      { path: '^(src|workers)/', pathNot: '^src/ember/' },
      { path: '^src/ember/' },
    ),
    forbid('no tests in source', { path: '^(src|workers)/' }, { path: '^test/' }),
    forbid('no cycles', {}, { circular: true }),
    forbid('resolves', {}, { couldNotResolve: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.svelte', '.svelte.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'browser', 'import', 'types'],
    },
  },
};
