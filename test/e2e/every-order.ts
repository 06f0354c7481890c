/** What keeps chats in order, in each state: versions, the menu of a chat, folders, archive and bin. */
import { turnEnds } from './site';
import { button, close, dialog, goTo, main, type Tour } from './tour';

export async function seeOrder(tour: Tour): Promise<void> {
  await seeVersions(tour);
  await seeMenu(tour);
  await seePlaces(tour);
  await seeTemporary(tour);
}

async function seeVersions({ page, words, rest, look }: Tour): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(page.getByRole('navigation'), words.navigation.newChat).click();
  await page.getByRole('textbox', { name: words.composer.label, exact: true }).fill('script\nOnce.');
  await button(page, words.composer.send).click();
  await turnEnds(page, words.composer.stop);
  await button(main(page), rest.turn.again).click();
  await turnEnds(page, words.composer.stop);
  await main(page).getByRole('group', { name: rest.chats.versions.label }).waitFor();
  await look('an answer with versions');
  await button(main(page), rest.common.delete).last().click();
  await button(dialog(page), rest.common.delete).click();
  await button(page, rest.chats.deletion.undo).waitFor();
  // The notice would disappear by itself during the check.
  await look('what was deleted, to be had back', () => button(page, rest.chats.deletion.undo).focus());
  await button(page, words.actions.close).last().click();
}

async function seeMenu({ page, words, rest, look }: Tour): Promise<void> {
  const list = page.getByRole('navigation');
  const { menu, folders, selection } = rest.chats;
  const open = async () => {
    await close(page);
    if (!(await list.isVisible())) await button(main(page), words.navigation.open).click();
    await list.getByRole('button', { name: words.chats.actions }).first().click();
    await button(list, menu.pin).or(button(list, menu.unpin)).waitFor();
  };
  const choose = async (name: string) => {
    await open();
    await button(list, name).click();
  };
  await choose(menu.pin);
  await look('the menu of a chat', open);
  await look('the folders for a chat', () => choose(menu.move));
  await choose(menu.move);
  await list.getByRole('textbox', { name: folders.name }).fill('Trips 旅行');
  await button(list, folders.create).click();
  // A pinned chat is listed above all others; once unpinned, it is in its folder.
  await choose(menu.unpin);
  await button(list, folders.actions).waitFor();
  await look('a folder in the list', async () => {
    if (!(await list.isVisible())) await button(main(page), words.navigation.open).click();
  });
  await choose(menu.select);
  await list.getByRole('toolbar', { name: selection.label }).waitFor();
  await look('several chats chosen', async () => {
    if (!(await list.isVisible())) await button(main(page), words.navigation.open).click();
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(list, menu.archive).click();
}

async function seePlaces({ page, rest, look }: Tour): Promise<void> {
  const { bin } = rest.chats;
  await goTo(page, 'archive');
  await main(page).getByRole('listitem').first().waitFor();
  await look('the archive');
  await goTo(page, 'ask');
  await main(page).getByRole('listitem').first().waitFor();
  await look('what can be asked');
  await goTo(page, 'bin');
  await main(page).getByRole('listitem').first().waitFor();
  await look('the bin');
  await button(main(page), bin.purge).first().click();
  await dialog(page).waitFor();
  await look('whether to delete for good');
  await close(page);
  await goTo(page, '');
}

async function seeTemporary({ page, words, rest, look }: Tour): Promise<void> {
  const list = page.getByRole('navigation');
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(list, words.navigation.temporary).click();
  await page.getByRole('heading', { level: 1, name: words.navigation.temporary }).waitFor();
  await look('a temporary chat');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('textbox', { name: words.composer.label, exact: true }).fill('Nobody knows');
  await button(list, words.navigation.newChat).click();
  await dialog(page).waitFor();
  await look('whether to leave a temporary chat');
  await button(dialog(page), rest.chats.leave.confirm).click();
}
