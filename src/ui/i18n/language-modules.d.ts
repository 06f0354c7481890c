/** The modules that the build makes of each language file: see `scripts/languages.js`. */
declare module '*.json?language' {
  const language: import('./registry').LanguageEntry;
  export default language;
}
declare module '*.json?shell' {
  const words: import('./words').Words;
  export default words;
}
declare module '*.json?rest' {
  const words: import('./words').LateWords;
  export default words;
}
