/** Bundles the reader alone, in a form that any platform can load, without a web page or Node. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Returns the path of a module with the functions `parse` and `stream` that the exam needs. */
export async function buildReader(folder) {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2023',
      lib: {
        entry: fileURLToPath(new URL('./exam-adapter.ts', import.meta.url)),
        formats: ['es'],
        fileName: () => 'reader.mjs',
      },
    },
  });
  return join(folder, 'reader.mjs');
}
