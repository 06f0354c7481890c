import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ProviderInfo } from '../../src/contracts/settings';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const providers: readonly ProviderInfo[] = [
  { id: 'wikipedia', name: 'Wikipedia', fields: {}, isOnByDefault: true },
  { id: 'tavily', name: 'Tavily', fields: { key: 'needed' }, isOnByDefault: false },
  { id: 'searxng', name: 'SearXNG', fields: { url: 'needed' }, isOnByDefault: false },
  {
    id: 'template',
    name: 'Custom',
    fields: { url: 'needed', key: 'optional', paths: 'needed' },
    isOnByDefault: false,
  },
];

async function showSettings(size?: readonly [number, number]) {
  const shown = await show(size ? { size } : {});
  shown.app.providers = providers;
  location.hash = '#/settings';
  await expect.element(shown.screen.getByRole('group', { name: 'Wikipedia' })).toBeVisible();
  const group = (name: string) => shown.screen.getByRole('group', { name });
  const saved = () => shown.app.settings.providers;
  return { ...shown, group, saved };
}

test('each search provider shows only the fields that it needs', async () => {
  const { group } = await showSettings();
  const fields = async (name: string) =>
    group(name)
      .getByRole('textbox')
      .or(group(name).getByLabelText('Key', { exact: true }))
      .all().length;
  expect(await fields('Wikipedia')).toBe(0);
  expect(await fields('Tavily')).toBe(1);
  expect(await fields('SearXNG')).toBe(1);
  // The paths and limits of an unused provider are hidden.
  expect(await fields('Custom')).toBe(2);
  await group('Custom').getByRole('switch', { name: 'Use it' }).click();
  await expect.element(group('Custom').getByLabelText('Path to the results')).toBeVisible();
  expect(await fields('Custom')).toBe(6);
  await expect.element(group('Wikipedia').getByRole('switch', { name: 'Use it' })).toBeChecked();
  await expect.element(group('Tavily').getByRole('switch', { name: 'Use it' })).not.toBeChecked();
});

slow('the key of a search provider is hidden until the user reveals it', async () => {
  const { group, saved } = await showSettings();
  const tavily = group('Tavily');
  await expect.element(tavily.getByRole('button', { name: 'Try it' })).not.toBeInTheDocument();
  await tavily.getByRole('switch').click();
  await expect.element(tavily.getByText('Not used until this is filled in.')).toBeVisible();
  const key = tavily.getByLabelText('Key', { exact: true });
  await expect.element(key).toHaveAttribute('type', 'password');
  await key.fill('  tvly-1 ');
  await userEvent.tab();
  expect(saved()['tavily']).toEqual({ isOn: true, key: 'tvly-1' });
  await tavily.getByRole('button', { name: 'Show' }).click();
  await expect.element(key).toHaveAttribute('type', 'text');
  await tavily.getByRole('button', { name: 'Try it' }).click();
  await expect.element(tavily.getByText(/Tavily did not answer: it answered 401/)).toBeVisible();
  // A result for another key is dropped.
  await key.fill('tvly-2');
  await userEvent.tab();
  await expect.element(tavily.getByText(/did not answer/)).not.toBeInTheDocument();
});

test('the "Try it" button of a search provider shows the number of results', async () => {
  const { group, calls } = await showSettings();
  await group('Wikipedia').getByRole('button', { name: 'Try it' }).click();
  await expect.element(group('Wikipedia').getByText('It works: 3 results.')).toBeVisible();
  expect(calls).toEqual([['trySearch', 'wikipedia']]);
});

slow.for([
  { name: 'SearXNG', url: 'https://s.example.org', isKept: true },
  { name: 'SearXNG', url: 'http://192.168.1.5:8080', isKept: true },
  { name: 'SearXNG', url: '', isKept: true },
  { name: 'SearXNG', url: 'my server', isKept: false },
  { name: 'SearXNG', url: 'javascript:alert(1)', isKept: false },
  { name: 'Custom', url: 'https://s.example.org/?q={query}', isKept: true },
  { name: 'Custom', url: 'https://s.example.org/', isKept: false },
])('only a valid search provider URL is saved: "$url" for $name', async ({ name, url, isKept }) => {
  const { group, saved } = await showSettings();
  const field = group(name).getByLabelText('URL');
  await field.fill('x');
  await field.fill(url);
  await userEvent.tab();
  const kept = saved()[name === 'SearXNG' ? 'searxng' : 'template'];
  if (isKept) expect(kept?.url ?? '').toBe(url);
  else {
    await expect.element(group(name).getByRole('alert')).toBeVisible();
    await expect.element(field).toHaveAttribute('aria-invalid', 'true');
    expect(kept).toBeUndefined();
  }
});

slow('a valid search limit, result path and proxy address are saved', async () => {
  const { app, screen, group, saved } = await showSettings(phone);
  const limit = group('Wikipedia').getByRole('spinbutton', { name: 'Searches in a minute' });
  await expect.element(limit).toHaveValue(10);
  await limit.fill('0');
  await userEvent.tab();
  await expect.element(group('Wikipedia').getByRole('alert')).toBeVisible();
  await limit.fill('3');
  await userEvent.tab();
  expect(saved()['wikipedia']).toEqual({ isOn: true, perMinute: 3 });
  await group('Custom').getByRole('switch', { name: 'Use it' }).click();
  await group('Custom').getByLabelText('Path to the results').fill('web.results');
  await userEvent.tab();
  expect(saved()['template']).toEqual({ isOn: true, paths: { list: 'web.results' } });
  await screen.getByRole('switch', { name: 'Search before the model answers' }).click();
  expect(app.settings.isSearchingFirst).toBe(true);
  const proxy = screen.getByLabelText('Proxy for pages');
  await proxy.fill('nonsense');
  await userEvent.tab();
  await expect
    .element(screen.getByText(/This is not a valid address. One looks like https:\/\/proxy/))
    .toBeVisible();
  expect(app.settings.proxyUrl).toBe('');
  await proxy.fill('https://p.example.org/?url={url}');
  await userEvent.tab();
  expect(app.settings.proxyUrl).toBe('https://p.example.org/?url={url}');
});

slow('on a phone, the settings of all search providers take at most two screen heights', async () => {
  const { group, screen } = await showSettings(phone);
  for (const { name, isOnByDefault } of providers) {
    if (!isOnByDefault) await group(name).getByRole('switch', { name: 'Use it' }).click();
  }
  await expect.element(screen.getByLabelText('Path to a summary')).toBeVisible();
  const part = document.querySelector<HTMLElement>('[data-section="web-search"]');
  expect(part?.offsetHeight).toBeLessThanOrEqual(2 * innerHeight);
});
