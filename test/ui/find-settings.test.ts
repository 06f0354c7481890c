import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { settingSectionsOf } from '../../src/ui/commands/palette-commands';
import { languages } from '../../src/ui/i18n/registry';
import { everyNth, slow } from '../support/matrix';
import { phone, show } from './show';

async function showSettings() {
  const shown = await show();
  location.hash = '#/settings';
  const { screen } = shown;
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect.element(screen.getByRole('table', { name: 'What takes how much' })).toBeInTheDocument();
  return { ...shown, box: screen.getByRole('searchbox', { name: 'Find a setting' }) };
}

const partsShown = () =>
  [...document.querySelectorAll<HTMLElement>('[data-section]')].flatMap(({ dataset, hidden }) =>
    hidden ? [] : [dataset['section']],
  );
const groupsShown = () =>
  [...document.querySelectorAll<HTMLElement>('.group > h2')].flatMap((heading) =>
    heading.checkVisibility() ? [heading.textContent] : [],
  );

test.for([
  { looked: 'zoom', parts: ['appearance'], groups: ['General'] },
  { looked: 'dark mode', parts: ['appearance'], groups: ['General'] },
  { looked: ' CONTRAST ', parts: ['appearance'], groups: ['General'] },
  { looked: 'search provider', parts: ['web-search'], groups: ['The web'] },
  { looked: 'telemetry', parts: ['requests'], groups: ['Privacy'] },
  { looked: 'mirror', parts: ['mirrors'], groups: ['The web'] },
  { looked: 'passphrase encrypted', parts: ['backup'], groups: ['Your data'] },
])(
  'a search in Settings shows only the matching section: "$looked" in $parts',
  async ({ looked, parts, groups }) => {
    const { box } = await showSettings();
    expect(partsShown()).toHaveLength(14);
    await box.fill(looked);
    await expect.poll(partsShown).toEqual(parts);
    expect(groupsShown()).toEqual(groups);
  },
);

slow('the search in Settings highlights and counts matches, and Escape shows everything again', async () => {
  const { box, screen } = await showSettings();
  await box.fill('text size');
  await expect.element(screen.getByText('One part of the settings is shown.')).toBeInTheDocument();
  expect([...(CSS.highlights.get('found') ?? [])].map(String)).toContain('Text');
  await box.fill('no such setting');
  await expect.element(screen.getByText(/No setting has these words/)).toBeVisible();
  expect(groupsShown()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.poll(partsShown).toHaveLength(14);
  expect(CSS.highlights.has('found')).toBe(false);
  await expect.element(screen.getByText(/No setting has these words/)).not.toBeInTheDocument();
});

test('a link to a section of Settings opens it and clears the search', async () => {
  const { box, screen } = await showSettings();
  await box.fill('zoom');
  location.hash = '#/settings/rounds';
  await expect.element(screen.getByRole('spinbutton', { name: 'Tool steps per question' })).toHaveFocus();
  await expect.element(box).toHaveValue('');
  location.hash = '#/settings/requests';
  await expect.element(screen.getByRole('heading', { name: 'Requests' })).toHaveFocus();
});

slow.for(everyNth(2, languages))(
  'every section of Settings can be found by its name in the language $name',
  async ({ code, loadRest }) => {
    const { app, screen } = await showSettings();
    await app.saveSettings({ language: code });
    const rest = await loadRest();
    const box = screen.getByRole('searchbox', { name: rest.findSettings.label });
    for (const { section, name } of settingSectionsOf({ rest })) {
      await box.fill(name);
      await expect.poll(() => partsShown().length).toBeLessThan(13);
      expect(partsShown()).toContain(section);
      await box.fill('');
      await expect.poll(partsShown).toHaveLength(14);
    }
  },
);

test('no section of Settings is longer than two screens', async () => {
  await showSettings();
  for (const part of document.querySelectorAll<HTMLElement>('[data-section]'))
    expect(part.offsetHeight, part.dataset['section']).toBeLessThanOrEqual(2 * innerHeight);
});

const named = ['storage', 'backup', 'about', 'requests', 'rounds'];
slow.for(everyNth(2, named))(
  'the address of a section of Settings shows that section at the top: settings/%s',
  async (name) => {
    const { app } = await show({ size: phone });
    await app.open(`#/settings/${name}`);
    const part = () => document.querySelector<HTMLElement>(`[data-section='${name}']`);
    const scroller = () => part()?.closest('.scroll') ?? document.body;
    const grow = (by: number) => {
      const late = document.createElement('div');
      late.style.height = `${String(by)}px`;
      scroller().querySelector('.column')?.prepend(late);
    };
    const isAtTop = () => {
      const { top } = part()?.getBoundingClientRect() ?? { top: -1 };
      const isAtEnd = scroller().scrollTop + scroller().clientHeight >= scroller().scrollHeight - 1;
      return Math.abs(top - scroller().getBoundingClientRect().top) < 2 || isAtEnd;
    };
    await expect.poll(() => part()?.contains(document.activeElement) ?? false).toBe(true);
    await expect.poll(isAtTop).toBe(true);
    grow(400);
    await expect.poll(isAtTop).toBe(true);
    await userEvent.keyboard('{Shift}');
    scroller().scrollTop = 0;
    grow(20);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    expect(scroller().scrollTop).toBeLessThan(50);
    expect(part()?.contains(document.activeElement)).toBe(true);
  },
);
