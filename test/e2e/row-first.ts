/** Row 7, the first run: the three steps, an example, and what can be asked. */
import { expect } from 'vitest';
import { hasFocus, press, reach } from './keyboard-steps';
import type { Walk } from './row-walk';
import { button, main } from './tour';

export async function walkFirstRun(walk: Walk): Promise<void> {
  const { page, rest, box, see, hears, writesOn } = walk;
  const { firstSteps, tools } = rest;
  const steps = page.getByRole('region', { name: firstSteps.label, exact: true });
  const next = button(steps, firstSteps.next);
  await next.waitFor();
  await see('the first step');
  await press(next);
  await hears(firstSteps.place(2, 3));
  await see('the second step');
  await page.keyboard.press('Enter');
  await hears(firstSteps.place(3, 3));
  await steps.getByText(firstSteps.looking).waitFor({ state: 'hidden' });
  await expect.poll(() => hasFocus(button(steps, firstSteps.done))).toBe(true);
  await see('the third step');
  await press(button(steps, firstSteps.back));
  await press(button(steps, firstSteps.back));
  await hears(firstSteps.place(1, 3));
  await expect.poll(() => hasFocus(next)).toBe(true);
  await see('back at the first step');
  await press(button(steps, firstSteps.skip));
  await steps.waitFor({ state: 'detached' });
  await writesOn();
  await see('the steps skipped');

  await page.keyboard.press('Alt+Shift+0');
  await page.getByRole('heading', { level: 1, name: tools.askable.title }).waitFor();
  await see('what can be asked');
  const question = tools.askable.examples['calculator']!;
  await press(main(page).getByRole('button', { name: question }));
  await expect.poll(() => box.inputValue()).toBe(question);
  await writesOn();
  await see('a question taken over');
  await page.keyboard.press('Enter');
  await button(main(page), rest.turn.details).waitFor();
  await see('its answer');
  await reach(
    main(page)
      .getByRole('button', { name: /calculator|Calculator|计算器/ })
      .first(),
    'Shift+Tab',
  );
  await see('the call of the answer');
}
