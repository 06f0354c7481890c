/**
 * Makes a headline of each changelog entry. The service worker contains them, so a new version can list what the running version lacks. `import
 * headlines from '../CHANGELOG.md?headlines'` returns them.
 */
import { readFileSync } from 'node:fs';

/** Maximum length of a headline in characters, about two lines on a phone. */
const longest = 90;

/**
 * Returns the headlines in the order of the changelog, newest first.
 * @param {string} changelog Markdown in the format of keepachangelog.com
 * @returns {string[]}
 */
export function headlinesOf(changelog) {
  const entries = changelog.split('\n\n').flatMap((block) => block.split(/^- /m).slice(1));
  return entries.map((entry) => {
    const plain = entry
      .replace(/\s+/g, ' ')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim();
    const [clause = plain] = plain.split(/[.:;](?= |$)/);
    if (clause.length <= longest) return clause;
    const cut = clause.slice(0, longest);
    // Cut at the last comma if enough text remains, else between words.
    return /^.{30,}(?=, )/.exec(cut)?.[0] ?? `${cut.replace(/ \S*$/, '')}…`;
  });
}

/** @returns {import('vite').Plugin} */
export function changelogHeadlines() {
  return {
    name: 'changelog-headlines',
    enforce: 'pre',
    load(id) {
      const [file, query] = id.split('?');
      if (query !== 'headlines') return undefined;
      this.addWatchFile(file);
      return `export default ${JSON.stringify(headlinesOf(readFileSync(file, 'utf8')))};`;
    },
  };
}
