/** Measures how long single tasks block the thread of a page, in CPU time of that thread, so a busy machine changes nothing. */

/** A task with this many milliseconds of CPU time freezes the page, on a slow machine too. Shorter times belong in `bench/`. */
export const freezeMs = 1000;

/**
 * Starts measuring. Resolves to a function that ends it and returns the milliseconds of the longest task of any page.
 *
 * @param {import('playwright').Browser | null} browser
 * @returns {Promise<() => Promise<number>>}
 */
export async function watchTasks(browser) {
  const session = await browser?.newBrowserCDPSession();
  if (!session) throw new Error('The browser cannot be reached.');
  /** @type {{ name: string, pid: number, tid: number, args?: { name?: string }, tdur?: number }[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) events.push(/** @type {(typeof events)[number]} */ (event));
  });
  const traceConfig = { includedCategories: ['toplevel', '__metadata'], excludedCategories: ['*'] };
  await session.send('Tracing.start', { traceConfig });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    const pages = new Set();
    for (const { name, args, pid, tid } of events) {
      if (name === 'thread_name' && args?.name === 'CrRendererMain') pages.add(`${pid} ${tid}`);
    }
    let longest = 0;
    for (const { pid, tid, tdur = 0 } of events) {
      if (pages.has(`${pid} ${tid}`)) longest = Math.max(longest, tdur);
    }
    if (longest === 0) throw new Error('No task of any page was seen.');
    // `tdur` is the thread's CPU time in microseconds.
    return longest / 1000;
  };
}
