import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { emberCard, modelCard } from './model-cards';
import { show } from './show';

const best = modelCard('Best-4B-q4', { name: 'Best 4B', bytes: 2.3e9, isRecommended: true });

/** A first visit: Ember answers. */
async function visit() {
  const staged = await show({ shelf: { cards: [emberCard, best], diagnosis: [] } });
  const { session } = staged.app;
  if (session) {
    session.model = { id: 'ember', name: 'Ember', engine: 'small-llama', bytes: 6_200_000, isSmall: true };
  }
  return staged;
}

const steps = (screen: Awaited<ReturnType<typeof show>>['screen']) =>
  screen.getByRole('region', { name: 'First steps' });

test('on a first visit three steps say what this is, what it can do, and what a larger model would add', async () => {
  const { app, screen, message } = await visit();
  await expect.element(steps(screen)).toHaveTextContent(/runs in this tab.*1 of 3/s);
  const next = screen.getByRole('button', { name: 'Next step' });
  next.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(steps(screen)).toHaveTextContent(/sums.*2 of 3/s);
  await userEvent.keyboard('{Enter}');
  await expect.element(steps(screen)).toHaveTextContent(/A larger model.*Best 4B.*2\.3 GB.*3 of 3/s);
  await expect.element(screen.getByRole('link', { name: 'See the models' })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(steps(screen)).not.toBeInTheDocument();
  await expect.element(message).toHaveFocus();
  expect(app.settings.isIntroduced).toBe(true);
});

test('can be skipped, and wait for nobody who types', async () => {
  const { app, screen, message } = await visit();
  await expect.element(steps(screen)).toBeVisible();
  await message.fill('half a thought');
  await screen.getByRole('button', { name: 'Skip the steps' }).click();
  await expect.element(steps(screen)).not.toBeInTheDocument();
  await expect.element(message).toHaveValue('half a thought');
  expect(app.settings.isIntroduced).toBe(true);
});
