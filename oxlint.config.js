/**
 * Everything but components: the rules of ESLint and of typescript-eslint's strictest set, types included, in a sixth of its time. Its
 * names for the same rules begin with `typescript/`.
 */
import js from '@eslint/js';
import ts from 'typescript-eslint';
import { everywhere, ignored, inPureLayers, withTypes } from './lint/restricted.js';

/** It has no such rules; the next two are errors of syntax in a module. */
const missing = new Set([
  'typescript/no-unsafe-class-instance-assignment',
  'typescript/no-unsafe-enum-assignment',
  'no-dupe-args',
  'no-octal',
  // Only turned off.
  'no-new-symbol',
  'no-return-await',
  'typescript/naming-convention',
  'typescript/prefer-destructuring',
]);

/** Of what ESLint calls rules, as Oxlint calls them. */
const named = (...sets) =>
  Object.fromEntries(
    sets
      .flatMap((rules) => Object.entries(rules ?? {}))
      .map(([name, setting]) => [name.replace('@typescript-eslint/', 'typescript/'), setting])
      .filter(([name]) => !missing.has(name)),
  );

export default {
  plugins: ['typescript'],
  categories: { correctness: 'off' },
  options: { typeAware: true },
  env: { builtin: true, browser: true },
  // Components are ESLint's.
  ignorePatterns: [...ignored, '**/*.svelte'],
  rules: named(
    js.configs.recommended.rules,
    ...ts.configs.strictTypeChecked.map(({ rules }) => rules),
    withTypes,
    {
      '@typescript-eslint/consistent-type-imports': 'error',
      ...everywhere,
    },
  ),
  overrides: [
    { files: ['src/contracts/schema.ts'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: ['src/egress/**', 'workers/egress.worker.ts'],
      rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off' },
    },
    // A script writes it.
    { files: ['src/ui/i18n/words.ts'], rules: { 'max-lines': 'off' } },
    { files: ['src/{contracts,protocol,text,agent,ember}/**'], rules: inPureLayers },
    // Test doubles are loose on purpose.
    {
      files: ['test/**'],
      rules: named({
        '@typescript-eslint/no-unsafe-assignment': 'off',
        '@typescript-eslint/no-non-null-assertion': 'off',
        '@typescript-eslint/require-await': 'off',
      }),
    },
    // Plain Node, or the browser's side of a benchmark, without types.
    {
      files: ['**/*.{js,cjs}'],
      env: { node: true, browser: true },
      rules: named(js.configs.recommended.rules, ts.configs.disableTypeChecked.rules),
    },
    // A bare page to compare with has a bare service worker.
    {
      files: ['bench/ready-to-type/bare/public/*.js'],
      env: { serviceworker: true },
      rules: { 'no-restricted-globals': 'off' },
    },
  ],
};
