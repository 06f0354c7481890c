/**
 * Reading, attaching, commanding, installing, tracing, dictating and the first run, by keyboard alone: on a desktop and a phone, in both languages
 * and themes. In each state the focus is visible, axe and the layout check find no fault, and changes are announced. `LOOK_SHOTS` names a folder for
 * a screenshot of each, and for what a screen reader gets.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { installPromptApi } from '../support/fake-prompt-api';
import { thorough } from '../support/matrix';
import { installRecognition } from './every-dictation';
import { openOutside } from './outside';
import { walkAttaching } from './row-attach';
import { walkCommanding, walkFollowUps } from './row-command';
import { walkDictation } from './row-dictate';
import { walkFirstRun } from './row-first';
import { installAway, walkInstalling } from './row-install';
import { prepareReading, walkReading } from './row-read';
import { walkTracing } from './row-trace';
import { beginWalk, isPhone, type View, type Walk } from './row-walk';
import { isOfflineReady, openSite, type Site } from './site';

const views: readonly View[] = [
  { code: 'en', width: 1280, colorScheme: 'light' },
  { code: 'en', width: 390, colorScheme: 'light' },
  { code: 'zh', width: 390, colorScheme: 'dark' },
  { code: 'zh', width: 1280, colorScheme: 'dark' },
];

const slow = { timeout: 240_000 };

const named = views.map((view) => ({ ...view, name: Object.values(view).join(' ') }));

describe.for(named)('keyboard use in the view: $name', (view) => {
  const open = (options: Parameters<typeof openSite>[0] = {}) =>
    openSite({
      folder: 'dist-e2e',
      locale: view.code,
      colorScheme: view.colorScheme,
      viewport: { width: view.width, height: isPhone(view) ? 844 : 800 },
      hasTouch: isPhone(view),
      ...options,
    });
  async function walkIn(site: Site, row: string, walkRow: (walk: Walk) => Promise<void>): Promise<void> {
    const walk = await beginWalk(site.page, view, row);
    try {
      await walkRow(walk);
    } finally {
      await site.close();
    }
    expect(walk.faults).toEqual([]);
  }

  thorough('the user can read an answer with code, tables and links by keyboard', slow, async () => {
    const outside = await openOutside();
    const site = await open({ outside });
    await prepareReading(site.context, outside);
    await walkIn(site, 'reading', walkReading);
    outside.close();
  });

  thorough('a file can be attached by keyboard', slow, async () => {
    const site = await open();
    await site.context.addInitScript(installPromptApi, { canSee: true });
    await walkIn(site, 'attaching', walkAttaching);
  });

  thorough('commands can be run by keyboard', slow, async () =>
    walkIn(await open(), 'commanding', walkCommanding),
  );

  thorough('commands can be run by keyboard during an answer', slow, async () =>
    walkIn(await open(), 'follow-ups', walkFollowUps),
  );

  thorough('a model can be installed by keyboard', slow, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-site-'));
    await cp('dist-e2e', folder, { recursive: true });
    const site = await open({ folder, hasServiceWorker: true });
    await isOfflineReady(site.page);
    await site.context.addInitScript(installAway);
    await walkIn(site, 'installing', (walk) => walkInstalling(walk, folder));
    await rm(folder, { recursive: true });
  });

  thorough('the details of an answer can be opened by keyboard', slow, async () =>
    walkIn(await open(), 'tracing', walkTracing),
  );

  thorough('dictation works by keyboard', slow, async () => {
    const site = await open();
    await site.context.addInitScript(installRecognition);
    await walkIn(site, 'dictating', walkDictation);
  });

  thorough('the steps of the first visit can be completed by keyboard', slow, async () => {
    const site = await open({ folder: 'dist' });
    await walkIn(site, 'first-run', walkFirstRun);
  });
});
