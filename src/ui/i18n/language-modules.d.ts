/** The modules that the build makes from each language file. See `scripts/languages.js`. */
/* oxlint-disable typescript/consistent-type-imports -- An ambient module cannot use a relative `import type`. */
declare module '*.json?language' {
  const language: import('./registry').LanguageEntry;
  export default language;
}
declare module '*.json?shell' {
  const words: import('./words').ShellWords;
  export default words;
}
declare module '*.json?rest' {
  const words: import('./words').RestWords;
  export default words;
}
