/**
 * Makes the document of the sandbox's frame from `src/tools/sandbox/relay.js`: one script, and a policy that lets no other script run. `import html
 * from './relay.js?sandbox-document'` returns it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { minifySync } from 'vite';

const relay = fileURLToPath(new URL('../src/tools/sandbox/relay.js', import.meta.url));

/** Returns the script as it is in the document, and the hash source of a policy that lets it run. */
export function buildRelay() {
  const { code, errors } = minifySync(relay, readFileSync(relay, 'utf8'), { module: false });
  if (errors.length > 0) throw new Error(`${relay}: ${errors[0].message}`);
  // The relay must be one line, because the user's code counts its lines from the second. A closing tag would end the script.
  if (code.trim().includes('\n') || /<\/script|<!--/i.test(code)) {
    throw new Error(`${relay}: minified, it must be one line that HTML reads as text`);
  }
  const hash = createHash('sha256').update(code).digest('base64');
  return { code, hash: `'sha256-${hash}'` };
}

function buildDocument() {
  const { code, hash } = buildRelay();
  const policy = `default-src 'none'; script-src ${hash}; worker-src blob:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><script>${code}</script>`;
}

/** @returns {import('vite').Plugin} */
export function sandboxDocument() {
  return {
    name: 'sandbox-document',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('relay.js?sandbox-document')) return undefined;
      this.addWatchFile(relay);
      return `export default ${JSON.stringify(buildDocument())};`;
    },
  };
}
