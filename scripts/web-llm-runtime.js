/**
 * For tests and the build for them: shows web-llm's TVM runtime, the part of it that reaches the GPU, so that a fake can
 * take its place under all the rest of the engine, which stays as it is shipped. Production builds do not use this.
 */

const engine = /@mlc-ai\/web-llm\/lib\/index\.js$/;
/** What web-llm's own bundler calls the runtime. */
const runtime = 'libExports$2';

/** How they find out where they are; tests give Node a `location`, which is none. */
const whereItIs = `typeof document === 'undefined' && typeof location === 'undefined' ? "MLC_DUMMY_PATH"`;

/** Its compiled parts are CommonJS that was bundled for browsers: in Node they ask for what a module has not. */
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
