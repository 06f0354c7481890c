import { expect, test } from 'vitest';
import { show } from './show';

test('text typed while a temporary chat opens goes only into that chat', async () => {
  const { app, message } = await show();
  await message.fill('Said before.');
  const shown = app.session!;
  const begin = app.services.sessions.beginTemporary;
  let go = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  app.services.sessions.beginTemporary = async () => {
    await gate;
    return begin();
  };
  const begun = app.openTemporaryChat();
  await message.fill('Said before. A secret');
  go();
  await begun;
  await expect.element(message).toHaveValue(' A secret');
  expect(app.session!.isTemporary).toBe(true);
  expect(shown.draft).toBe('Said before.');
});
