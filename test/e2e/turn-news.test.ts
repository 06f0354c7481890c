/** A long answer ends while the user is away: notifications are offered, then one is shown, and removed when the user has seen the answer. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { thorough } from '../support/matrix';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

interface Outside {
  /** What the browser reports about the tab. */
  isHidden: boolean;
  /** Milliseconds by which the page's clock is ahead. */
  ahead: number;
  asked: number;
  shown: { title: string; body: string; tag: string; data: unknown }[];
  closed: number;
  badges: number[];
}
declare global {
  interface Window {
    outside: Outside;
  }
}

let site: Site;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
  // A headless browser shows no notifications, and this site has no service worker, so we record what the page requests.
  await site.context.addInitScript(() => {
    const outside = { isHidden: false, ahead: 0, asked: 0, shown: [], closed: 0, badges: [] } as Outside;
    window.outside = outside;
    const plain = performance.now.bind(performance);
    performance.now = () => plain() + outside.ahead;
    Object.defineProperty(document, 'hidden', { get: () => outside.isHidden });
    let permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      outside.asked++;
      return (permission = 'granted');
    };
    const registration = {
      showNotification: async (title: string, options: { body: string; tag: string; data: unknown }) => {
        outside.shown.push({ title, body: options.body, tag: options.tag, data: options.data });
      },
      getNotifications: async () => outside.shown.map(() => ({ close: () => outside.closed++ })),
    };
    navigator.serviceWorker.getRegistration = async () =>
      registration as unknown as ServiceWorkerRegistration;
    navigator.setAppBadge = async (count = 0) => void outside.badges.push(count);
    navigator.clearAppBadge = async () => void outside.badges.push(0);
  });
  await site.page.reload();
});
afterAll(() => site.close());

const outside = (page: Page) => page.evaluate(() => window.outside);
async function go(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    window.outside.isHidden = hidden;
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

/** Asks, leaves during the answer, and returns `ms` later by the page's clock, or stays away. */
async function askAndLeave(page: Page, ms: number): Promise<void> {
  await ask(page, 'script 20\nword {{repeat 60}}END');
  await expect.poll(() => lastReply(page).innerText()).toContain('word');
  await go(page, true);
  await page.evaluate((ms) => (window.outside.ahead += ms), ms);
  await turnEnds(page);
}

const offer = (page: Page) => page.getByRole('button', { name: 'Tell me next time' });

thorough(
  'notifications are offered only after a long answer, and permission is requested only after a click',
  async () => {
    const { page } = site;
    await askAndLeave(page, 0);
    expect(await outside(page)).toMatchObject({ asked: 0, shown: [], badges: [] });
    await go(page, false);
    await askAndLeave(page, 9000);
    await offer(page).waitFor();
    expect(await outside(page)).toMatchObject({ asked: 0, shown: [], badges: [1] });
    await go(page, false);
    await expect.poll(async () => (await outside(page)).badges).toEqual([1, 0]);
    await offer(page).click();
    await offer(page).waitFor({ state: 'hidden' });
    // The press loads the code that asks.
    await expect.poll(async () => (await outside(page)).asked).toBe(1);
  },
);

thorough('a notification names only the chat and disappears once the user opens the chat', async () => {
  const { page } = site;
  await askAndLeave(page, 9000);
  await expect.poll(async () => (await outside(page)).shown.length).toBe(1);
  const [{ tag, ...said }] = (await outside(page)).shown as [Outside['shown'][0]];
  expect(said).toEqual({ title: 'script 20', body: 'The answer is ready.', data: `#/chat/${tag}` });
  await go(page, false);
  await expect.poll(async () => (await outside(page)).closed).toBe(1);
  expect((await outside(page)).badges.slice(-2)).toEqual([1, 0]);
});

thorough('a switch in Settings turns notifications off', async () => {
  const { page } = site;
  const address = page.url();
  await page.goto(`${site.url}#/settings`);
  await page.getByRole('switch', { name: 'Tell me when a long answer is ready' }).uncheck();
  await page.goto(address);
  await askAndLeave(page, 9000);
  expect((await outside(page)).shown).toHaveLength(1);
});
