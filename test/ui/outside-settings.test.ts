import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { RequestRecord } from '../../src/contracts/egress';
import { phone, show } from './show';
import { slow } from '../support/matrix';

async function showSettings(options: Parameters<typeof show>[0] = {}) {
  const shown = await show(options);
  location.hash = '#/settings';
  await expect.element(shown.screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  return shown;
}

const record = (at: number, changed: Partial<RequestRecord> = {}): RequestRecord => ({
  id: `request ${at}`,
  at,
  tool: 'fetch_page',
  method: 'GET',
  host: 'example.com',
  sentBytes: 120,
  receivedBytes: 34_000,
  durationMs: 80,
  outcome: 200,
  ...changed,
});

test('an allowed network address is normalized, listed, and can be removed', async () => {
  const { calls, screen } = await showSettings();
  await expect.element(screen.getByText('None is allowed.')).toBeVisible();
  await screen.getByRole('textbox', { name: 'Address' }).fill(' HTTP://192.168.1.5:8080/ ');
  await userEvent.keyboard('{Enter}');
  const list = screen.getByRole('list', { name: 'Allowed addresses' });
  await expect.element(list.getByRole('listitem')).toHaveTextContent('http://192.168.1.5:8080');
  await expect.element(screen.getByRole('textbox', { name: 'Address' })).toHaveValue('');
  await list.getByRole('button', { name: 'Remove http://192.168.1.5:8080' }).click();
  await expect.element(screen.getByText('None is allowed.')).toBeVisible();
  expect(calls).toEqual([
    ['saveSettings', { allowedAddresses: ['http://192.168.1.5:8080'] }],
    ['saveSettings', { allowedAddresses: [] }],
  ]);
});

test.for([
  ['', /must begin with http/],
  ['192.168.1.5', /must begin with http/],
  ['http://*.lan', /stands for itself alone/],
  ['http://me:secret@nas.lan', /Leave out the user name/],
  ['http://nas.lan/search', /Leave out what follows/],
  ['http://192.168.1.500', /This is not a valid address/],
  ['http://known.lan/', /allowed already/],
] as const)(
  'Settings rejects an invalid network address and explains why: address "%s"',
  async ([text, words]) => {
    const { app, calls, screen } = await showSettings();
    app.settings = { ...app.settings, allowedAddresses: ['http://known.lan'] };
    const box = screen.getByRole('textbox', { name: 'Address' });
    await box.fill(text);
    await screen.getByRole('button', { name: 'Allow', exact: true }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent(words);
    await expect.element(box).toHaveAttribute('aria-invalid', 'true');
    await expect.element(box).toHaveValue(text);
    expect(calls).toEqual([]);
    await box.fill('http');
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  },
);

test('the log of network requests shows each request at once and can be cleared', async () => {
  const { requests, screen } = await showSettings();
  await expect.element(screen.getByText('Nothing has left this device.')).toBeVisible();
  await requests.add(record(1));
  await requests.add(
    record(2, { host: '10.0.0.5', outcome: 'refused-address', sentBytes: 0, receivedBytes: 0 }),
  );
  await requests.add(record(3, { host: '', tool: 'web_search', outcome: 503 }));
  await requests.add(record(0, { endHost: 'www.example.com' }));
  const table = screen.getByRole('table', { name: 'Requests' });
  await expect.element(table.getByRole('row').nth(4)).toBeVisible();
  const cells = (row: number) =>
    [...table.getByRole('row').nth(row).element().children].map((cell) => cell.textContent.trim());
  expect(cells(0)).toEqual(['Time', 'Tool', 'Host', 'Sent / received', 'Outcome']);
  expect(cells(1).slice(1)).toEqual([
    'web_search',
    'not an address',
    '120 B / 34 kB',
    'Answered with an error (503)',
  ]);
  expect(cells(2).slice(1)).toEqual(['fetch_page', '10.0.0.5', '0 B / 0 B', 'Not sent: refused address']);
  expect(cells(3).slice(1)).toEqual(['fetch_page', 'example.com', '120 B / 34 kB', 'Answered (200)']);
  expect(cells(4)[2]).toBe('example.com → www.example.com');
  await screen.getByRole('button', { name: 'Clear' }).click();
  await expect.element(screen.getByText('Nothing has left this device.')).toBeVisible();
  await expect.element(table).not.toBeInTheDocument();
});

slow('the log shows the newest 20 network requests, and a button shows all', async () => {
  const { requests, screen } = await showSettings();
  for (let at = 1; at <= 25; at++) await requests.add(record(at));
  const rows = () => screen.getByRole('table', { name: 'Requests' }).getByRole('row').elements();
  await expect.poll(() => rows().length).toBe(21);
  await screen.getByRole('button', { name: 'Show all 25' }).click();
  await expect.poll(() => rows().length).toBe(26);
});

test('the network settings fit a phone screen', async () => {
  const { app, requests, screen } = await showSettings({ size: phone });
  app.settings = { ...app.settings, allowedAddresses: [`http://${'long-name.'.repeat(8)}lan:8080`] };
  await requests.add(record(1, { host: `${'sub.'.repeat(20)}example.com` }));
  await expect.element(screen.getByRole('table', { name: 'Requests' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  const column = screen
    .getByRole('heading', { name: 'Requests' })
    .element()
    .closest('section')?.parentElement;
  expect(column?.scrollWidth).toBeLessThanOrEqual(column?.clientWidth ?? 0);
});
