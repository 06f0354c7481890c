/** What the screen needs for a first answer, made ready before there is one: the answer then waits for nothing. */

/** What cannot be had now is asked for again when it is needed. Never rejects. */
export async function prepareFirstAnswer(): Promise<void> {
  const [renderer] = await Promise.allSettled([
    import('../markdown/stream-renderer'),
    import('./Conversation.svelte'),
    import('./ContextGauge.svelte'),
  ]);
  if (renderer.status === 'rejected') return;
  // The parser makes its regular expressions at its first text.
  const first = renderer.value.createMarkdownRenderer(document.createElement('div'));
  first.update('1');
  first.end();
}
