/** Bundles the reader by itself, as any platform could load it: no page, no Node. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The path of the module, with `parse` and `stream` as the exam asks for them. */
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
