/** Components with their types. It takes five times as long as all other rules together: `npm run test:all` runs it. */
import { defineConfig } from 'eslint/config';
import ts from 'typescript-eslint';
import components from './eslint.config.js';
import { withTypes } from './lint/restricted.js';

const files = ['src/**/*.svelte', 'src/**/*.svelte.ts'];

export default defineConfig(
  { files, extends: [ts.configs.strictTypeCheckedOnly] },
  // After what brings a parser that knows no components.
  components,
  {
    files,
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
    // In an effect, `void session.isRunning` makes it run again when that changes.
    rules: { ...withTypes, '@typescript-eslint/no-meaningless-void-operator': 'off' },
  },
);
