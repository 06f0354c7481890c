/** The headlines of the changelog, newest first. `scripts/changelog-headlines.js` extracts them during the build. */
declare module '*/CHANGELOG.md?headlines' {
  const headlines: readonly string[];
  export default headlines;
}
