/** The headlines of the changelog, newest first, which `scripts/changelog-headlines.js` extracts at build time. */
declare module '*/CHANGELOG.md?headlines' {
  const headlines: readonly string[];
  export default headlines;
}
