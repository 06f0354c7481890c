/**
 * What each entry of the changelog says first: the service worker has them, so that a new version can tell what it has that the one in
 * use has not. `import headlines from '../CHANGELOG.md?headlines'` gives them.
 */
import { readFileSync } from 'node:fs';

/** Characters. What does not fit on two lines of a phone is no headline. */
const longest = 90;

/**
 * In the order of the changelog, which is newest first.
 * @param {string} changelog Markdown, in the form of keepachangelog.com
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
    // At the last comma, if that leaves a sentence, else between words.
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
