/** What each entry of the changelog says first, newest first, made at build: `scripts/changelog-headlines.js`. */
declare module '*/CHANGELOG.md?headlines' {
  const headlines: readonly string[];
  export default headlines;
}
