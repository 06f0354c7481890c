/**
 * For tests and their build: exports web-llm's TVM runtime, the part that talks to the GPU, so that a fake can replace it under the rest of the
 * engine, which stays as shipped. Production builds do not use this.
 */

const engine = /@mlc-ai\/web-llm\/lib\/index\.js$/;
/** The name that web-llm's own bundler gives the runtime. */
const runtime = 'libExports$2';

/** The code by which compiled modules find their address. Tests define a `location` in Node, which misleads it. */
const whereItIs = `typeof document === 'undefined' && typeof location === 'undefined' ? "MLC_DUMMY_PATH"`;

/** The compiled modules are CommonJS bundled for browsers. In Node they need names that an ES module lacks. */
const forNode = `
import { createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
const require = createRequire(import.meta.url);
const __filename = __pathOf(import.meta.url);
const __dirname = __dirnameOf(__filename);
`;

/** @returns {import('vite').Plugin} */
export function openWebLlmRuntime() {
  return {
    name: 'open-web-llm-runtime',
    enforce: 'pre',
    apply: (_, { mode }) => mode === 'e2e' || mode === 'test',
    transform: {
      filter: { id: engine },
      handler(code, _, options) {
        if (!code.includes(`var ${runtime} = `)) {
          throw new Error(`web-llm has no ${runtime} any more: look for its TVM runtime anew.`);
        }
        const shown = `${code}\nexport { ${runtime} as tvmRuntime };\n`;
        return {
          code: options?.ssr ? forNode + shown.replaceAll(whereItIs, 'true ? import.meta.url') : shown,
          map: null,
        };
      },
    },
  };
}
