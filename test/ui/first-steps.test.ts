import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { languages } from '../../src/ui/i18n/registry';
import { emberCard, modelCard } from './model-cards';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const best = modelCard('Best-4B-q4', { name: 'Best 4B', bytes: 2.3e9, isRecommended: true });

/** Opens the app as on a first visit, with Ember as the model. */
async function visit(size?: typeof phone) {
  const staged = await show({ ...(size && { size }), shelf: { cards: [emberCard, best], diagnosis: [] } });
  const { session } = staged.app;
  if (session) {
    void session.set({
      model: { id: 'ember', name: 'Ember', engine: 'llama', bytes: 6_200_000, isSmall: true },
    });
  }
  return staged;
}

const steps = (screen: Awaited<ReturnType<typeof show>>['screen']) =>
  screen.getByRole('region', { name: 'First steps' });

test('a first visit explains in three steps what Hearth is and what it can do', async () => {
  const { app, screen, message } = await visit();
  await expect.element(steps(screen)).toHaveTextContent(/1 of 3.*answers in this tab/s);
  const next = screen.getByRole('button', { name: 'Next step' });
  next.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(steps(screen)).toHaveTextContent(/2 of 3.*sums/s);
  await userEvent.keyboard('{Enter}');
  await expect.element(steps(screen)).toHaveTextContent(/3 of 3.*A larger model.*Best 4B.*2\.3 GB/s);
  await expect.element(screen.getByRole('link', { name: 'See the models' })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(steps(screen)).not.toBeInTheDocument();
  await expect.element(message).toHaveFocus();
  expect(app.settings.isIntroduced).toBe(true);
});

slow('skipping the introduction keeps text that was typed meanwhile', async () => {
  const { app, screen, message } = await visit();
  await expect.element(steps(screen)).toBeVisible();
  await message.fill('half a thought');
  await screen.getByRole('button', { name: 'Skip the steps' }).click();
  await expect.element(steps(screen)).not.toBeInTheDocument();
  await expect.element(message).toHaveValue('half a thought');
  expect(app.settings.isIntroduced).toBe(true);
});

slow.for(languages)(
  'the steps of the introduction do not shift the layout on a phone: $name',
  async ({ code, loadRest }) => {
    const { app, screen } = await visit(phone);
    app.settings.language = code;
    const { firstSteps } = await loadRest();
    const button = (name: string) => screen.getByRole('button', { name, exact: true });
    const region = screen.getByRole('region', { name: firstSteps.label });
    const bottom = () => region.element().getBoundingClientRect().bottom;
    await expect.element(region).toHaveTextContent(firstSteps.place(1, 3));
    const bottoms = [bottom()];
    for (const step of [2, 3]) {
      await button(firstSteps.next).click();
      await expect.element(region).toHaveTextContent(firstSteps.place(step, 3));
      bottoms.push(bottom());
    }
    await expect.element(screen.getByText(/Best 4B/)).toBeVisible();
    bottoms.push(bottom());
    expect(new Set(bottoms).size).toBe(1);
    await button(firstSteps.back).click();
    await button(firstSteps.back).click();
    await expect.element(button(firstSteps.next)).toHaveFocus();
  },
);
