/** Tabs of Chromium that nobody looks into: what drives a page for tests keeps a copy of all that it fetches, weights too. */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { launchBrowser } from '../browser.js';

export async function openBareBrowser() {
  const browser = await launchBrowser();
  const session = await browser.newBrowserCDPSession();
  // Of its own: pages of a context that the driver has made are looked into.
  const { browserContextId } = await session.send('Target.createBrowserContext');
  const answers = new Map();
  let asked = 0;
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, ...answer } = JSON.parse(message);
    answers.get(id)?.(answer);
  });

  return {
    close: () => browser.close(),

    async openTab(url) {
      const { targetId } = await session.send('Target.createTarget', { url, browserContextId });
      const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
      const tab = {
        /** What a function that needs nothing but its arguments gives in the page. */
        async evaluate(work, ...given) {
          const id = (asked += 1);
          const answer = new Promise((resolve) => answers.set(id, resolve));
          const expression = `(${work})(...${JSON.stringify(given)})`;
          const params = { expression, awaitPromise: true, returnByValue: true };
          const message = JSON.stringify({ id, method: 'Runtime.evaluate', params });
          await session.send('Target.sendMessageToTarget', { sessionId, message });
          const { result, error } = await answer;
          const thrown = error ?? result.exceptionDetails;
          if (thrown) throw new Error(JSON.stringify(thrown));
          return result.result.value;
        },
      };
      // The empty page that comes first answers too, and is gone in the middle.
      const isThere = () => globalThis.document.querySelector('textarea') !== null;
      while (!(await tab.evaluate(isThere).catch(() => false))) await pause(20);
      return tab;
    },

    /** Megabytes of all its processes; of what several of them share, to each its part. */
    async memory() {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      let kilobytes = 0;
      for (const { id } of processInfo) {
        const maps = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
        kilobytes += Number(/^Pss:\s+(\d+)/m.exec(maps)?.[1] ?? 0);
      }
      return kilobytes / 1024;
    },
  };
}
