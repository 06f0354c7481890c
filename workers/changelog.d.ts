/** The headlines of the changelog, newest first. `scripts/changelog-headlines.js` extracts them when the app is built. */
declare module '*/CHANGELOG.md?headlines' {
  const headlines: readonly string[];
  export default headlines;
}
