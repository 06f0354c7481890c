/**
 * Gives the build for end-to-end tests, `vite build --mode e2e`, engines that follow a script, by replacing source files with those in test/doubles/.
 * No other build can contain them, because .dependency-cruiser.cjs forbids the source to import test/.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizePath } from 'vite';

const root = normalizePath(fileURLToPath(new URL('../', import.meta.url)));
const doubles = join(root, 'test/doubles');

/** Each double imports the file that it replaces and extends it. */
const replaced = new Map(
  [
    'src/engines/kinds.ts',
    'src/engines/load-worker-engine.ts',
    'src/app/small-model.ts',
    'src/tools/registry.ts',
    'src/app/exam/requests.ts',
  ].map((path) => [join(root, path), join(doubles, path.slice(path.lastIndexOf('/')))]),
);

/** @returns {import('vite').Plugin} */
export function useDoubles() {
  return {
    name: 'use-doubles',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\/(?:kinds|load-worker-engine|small-model|registry|requests)$/ },
      async handler(source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true });
        return importer?.startsWith(doubles) ? found : (replaced.get(found?.id) ?? found);
      },
    },
  };
}
