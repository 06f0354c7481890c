/** Attacks on how code is put into the worker: it closes brackets that are not its own, or swallows what follows. */
import type { Attack } from './attack';

/** Brackets that close what they did not open, and texts that swallow what follows. */
const escapes = [
  '}; fetch(args.url); {',
  '}\nfetch(args.url);\n{',
  '} fetch(globalThis.u); async function x() {',
  '}}); postMessage(\'r"LEAKED"\'); (async () => { {',
  '}}, postMessage(\'r"LEAKED"\'), function () {{',
  '}}); postMessage(\'r"LEAKED"\'); (0, function () { {',
  '}}); postMessage(\'r"LEAKED"\'); class X { static { {',
  '}[postMessage(\'r"LEAKED"\')] = {',
  '} finally { postMessage(\'r"LEAKED"\')',
  '*/ } postMessage(\'r"LEAKED"\'); { /*',
  '}//\npostMessage(\'r"LEAKED"\')\n{//',
  '}\u2028postMessage(\'r"LEAKED"\')\u2029{',
  '<!--\n} postMessage(\'r"LEAKED"\'); {\n-->',
  '}}); function Object() { return "LEAKED" } var JSON = { stringify: () => \'"LEAKED"\' }; (async () => {{',
  '}}); this.onmessage = () => 0; label: { (function () {{',
  'return 1 }',
  'return 1 }}) //',
  'return 1 }}) /*',
  '</script><script>parent.postMessage("LEAKED", "*")</script>',
  'import "https://a.example/x.js"',
  'export default 1',
  'yield 1',
  'with (globalThis) { fetch }',
  'return 010',
  'break',
  'return `',
  'return /*',
  'return "',
  'return [',
  'function f() {',
].map((code): Attack => ({ name: `code as ${JSON.stringify(code)}`, code, ends: 'SCRIPT' }));

const harmless: Attack[] = [
  { name: 'a comment of HTML', code: '<!-- postMessage("LEAKED")\nreturn 1' },
  { name: 'the end of a script in a text', code: 'return "</script><!--".length' },
  { name: 'brackets in a text', code: '` } postMessage(\'r"LEAKED"\'); { `' },
  { name: 'a comment at its very end', code: 'return 1 // }' },
  { name: 'a debugger', code: 'debugger; return 1' },
  { name: 'a map of its source', code: 'return 1\n//# sourceMappingURL=https://a.example/LEAKED' },
].map((attack) => ({ ...attack, ends: 'ok' }));

export const codeAttacks: readonly Attack[] = [...escapes, ...harmless];
