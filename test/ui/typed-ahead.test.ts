/** What is typed for a box whose code is being fetched, where that box never comes: nothing is sent, and no letter is lost unasked. */
import { onTestFinished, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { holdTyping } from '../../src/ui/parts/typed-ahead';

/** The message box, which has the focus, and something beside it. */
function stage() {
  const box = document.createElement('textarea');
  const button = document.createElement('button');
  button.textContent = 'Elsewhere';
  document.body.append(box, button);
  let entered = 0;
  box.addEventListener('keydown', ({ key }) => void (key === 'Enter' && entered++));
  onTestFinished(() => {
    box.remove();
    button.remove();
  });
  box.focus();
  return { box, button, entered: () => entered };
}

/** Settled by hand. */
function pending() {
  let refuse = (): void => undefined;
  const loading = new Promise<never>((_, reject) => (refuse = () => reject(new Error('No network.'))));
  return { loading, refuse };
}

test('Escape discards the typed text, and the next letter goes to the box', async () => {
  const { box, entered } = stage();
  onTestFinished(holdTyping(pending().loading));
  await userEvent.keyboard('models{Enter}{Escape}d');
  expect(box.value).toBe('d');
  expect(entered()).toBe(0);
});

test('a press elsewhere inserts the letters where they were typed', async () => {
  const { box, button, entered } = stage();
  onTestFinished(holdTyping(pending().loading));
  await userEvent.keyboard('modelss{Backspace}{Enter}');
  expect(box.value).toBe('');
  await userEvent.click(button);
  expect(box.value).toBe('models');
  expect(entered()).toBe(0);
});

test('after a failed load the letters go to the caret', async () => {
  const { box, entered } = stage();
  box.value = 'ab';
  box.setSelectionRange(1, 1);
  const { loading, refuse } = pending();
  onTestFinished(holdTyping(loading));
  await userEvent.keyboard('xy{Enter}');
  expect(box.value).toBe('ab');
  refuse();
  await expect.poll(() => box.value).toBe('axyb');
  expect(entered()).toBe(0);
  await userEvent.keyboard('z');
  expect(box.value).toBe('axyzb');
});
