/** What a part of the code must not touch, for both linters: the network is asked by `src/egress` alone, and pure layers know no page. */
const network = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'RTCPeerConnection'];
/** Taken from the global object by `const { fetch } = globalThis`, or of any `navigator`. */
const networkProperties = [
  ...network.flatMap((property) =>
    ['globalThis', 'window', 'self'].map((object) => ({ object, property, message: 'Only src/egress.' })),
  ),
  { property: 'sendBeacon', message: 'Only src/egress.' },
  { property: 'fetchLater', message: 'Only src/egress.' },
];
const page = [
  'window',
  'document',
  'navigator',
  'localStorage',
  'indexedDB',
  'Worker',
  'crypto',
  'Date',
  'performance',
];
const globals = (names) => ['error', { globals: names, checkGlobalObject: true }];

export const everywhere = {
  'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
  'no-restricted-globals': globals([...network, 'fetchLater']),
  'no-restricted-properties': ['error', ...networkProperties],
  'no-restricted-imports': [
    'error',
    { patterns: [{ group: ['zod', 'zod/*'], message: 'Import z from contracts/schema.' }] },
  ],
};

/** The same input gives the same output, anywhere. */
export const inPureLayers = {
  'no-restricted-globals': globals([...network, ...page]),
  'no-restricted-properties': ['error', ...networkProperties, { object: 'Math', property: 'random' }],
};

/** What the types of a call or a condition say, where they are known. */
export const withTypes = {
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  '@typescript-eslint/switch-exhaustiveness-check': 'error',
};

/** What was built, or made by a tool. */
export const ignored = ['dist', 'dist-e2e', '.svelte-check', 'training/build'];
