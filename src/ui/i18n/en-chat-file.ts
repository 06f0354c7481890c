/** What is said of a chat as a file, in English. */
export const enChatFile = {
  title: (title: string) => `Export “${title}”`,
  kind: 'Kind of file',
  kinds: { markdown: 'Markdown', html: 'Web page', json: 'JSON' },
  hints: {
    markdown:
      'Text that every editor reads: the questions and answers as you see them, with what tools were asked.',
    html: 'One page that opens in every browser. It runs nothing and fetches nothing.',
    json: 'For programs: every message of every version, as Hearth keeps it.',
  },
  save: 'Export',
  richText: 'As rich text',
  copyRichText: 'Copy with headings, lists and tables',
  inFile: {
    you: 'You',
    hearth: 'Hearth',
    files: (names: string) => `With: ${names}`,
    called: (tool: string) => `Called ${tool}`,
    written: (when: string) => `Exported from Hearth, ${when}.`,
  },
};

export type ChatFileTexts = typeof enChatFile;
