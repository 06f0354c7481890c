/**
 * `npm run docs`: lists every test whose title begins with "invariant: " in docs/invariants.md. A unit test fails if the file does not match the tests.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const invariantsFile = 'docs/invariants.md';
const titlePattern = /(['"`])invariant: ((?:(?!\1).)+)\1/g;
/** The part of a parametrized title that names the case, such as ": $name" or ": %s". */
const caseName = /: (?:\$|%[sijdo]).*$/;

const introduction = `# Invariants

A rule here always holds. Each rule is the title of a test, without its \`invariant: \` prefix. \`npm run docs\` writes this page from the
tests: edit the test, not the page.
`;

const kindHeadings = {
  contract: 'Every engine, tool, prompt and provider',
  ui: 'Screens, in Chromium',
  e2e: 'The built site, end to end',
};

/** Returns the heading for a test file: the folder of a unit test, or the kind of any other test. @param {string} file */
function headingOf(file) {
  const [, kind = '', area = ''] = file.split('/');
  if (kind !== 'unit') return kindHeadings[kind] ?? kind;
  if (area === 'ui') return 'UI';
  return area.endsWith('.ts') ? 'Files of the site' : capitalized(area);
}

/** @param {string} sentence */
const capitalized = (sentence) => `${sentence[0]?.toUpperCase()}${sentence.slice(1)}`;

/**
 * Returns the invariants in a test file, in the order of the file.
 * @param {string} text
 * @returns {string[]}
 */
export function invariantsIn(text) {
  return [...text.matchAll(titlePattern)].map(([, , title = '']) => {
    const sentence = title.replace(caseName, '');
    if (/\$\w|%[sijdo]\b/.test(sentence)) throw new Error(`Put the case after the last colon: ${title}`);
    return capitalized(sentence);
  });
}

/** Returns the text of docs/invariants.md for the tests in the working directory. */
export function writeInvariants() {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.startsWith('test/unit/docs/invariants'))
    .sort();
  /** @type {Map<string, string[]>} */
  const sections = new Map();
  for (const file of files) {
    for (const sentence of invariantsIn(readFileSync(file, 'utf8'))) {
      const heading = headingOf(file);
      sections.set(heading, [...(sections.get(heading) ?? []), `- ${sentence} (\`${file}\`)`]);
    }
  }
  const byHeading = [...sections].map(([heading, lines]) => `## ${heading}\n\n${lines.join('\n')}\n`);
  return [introduction, ...byHeading].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(invariantsFile, writeInvariants());
