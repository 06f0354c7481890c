/** Replies written in Markdown: a heading, the reply, its calls, and optionally the remaining text. */

export interface WrittenReply {
  name: string;
  reply: string;
  /** Each is a call, or `{ invalid }` with part of the reason. */
  calls: unknown[];
  text: string | undefined;
}

const files = import.meta.glob<string>('../fixtures/protocol/replies/**/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const replies: readonly WrittenReply[] = Object.entries(files).flatMap(([path, source]) => {
  const [title = '', ...sections] = source.split(/^## /m);
  const file = /^# (.*)/.exec(title)?.[1] ?? path;
  return sections.map((section) => {
    const block = (kind: string) =>
      new RegExp(`^(\`{3,})${kind}\\n([\\s\\S]*?)\\n?^\\1$`, 'm').exec(section)?.[2];
    const reply = block('reply');
    if (reply === undefined) throw new Error(`${path} has a section without a reply.`);
    const calls = (block('calls') ?? '').split('\n').filter((line) => line.trim() !== '');
    return {
      name: `${file}: ${section.split('\n')[0] ?? ''}`,
      reply,
      calls: calls.map((line) => JSON.parse(line) as unknown),
      text: block('text'),
    };
  });
});
