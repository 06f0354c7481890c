/** Typing for a box that never loads: nothing is sent, and no letter is lost unless the user discards it. */
import { onTestFinished, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { bufferTyping } from '../../src/ui/parts/typed-ahead';
import { slow } from '../support/matrix';

/** Shows the focused message box with a button beside it. */
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

/** A promise that the test settles. */
function pending() {
  let refuse = (): void => undefined;
  const loading = new Promise<never>((_, reject) => (refuse = () => reject(new Error('No network.'))));
  return { loading, refuse };
}

test('Escape discards letters typed while the command palette is loading', async () => {
  const { box, entered } = stage();
  onTestFinished(bufferTyping(pending().loading));
  await userEvent.keyboard('models{Enter}{Escape}d');
  expect(box.value).toBe('d');
  expect(entered()).toBe(0);
});

slow(
  'letters typed while the command palette loads go into the message box after a click elsewhere',
  async () => {
    const { box, button, entered } = stage();
    onTestFinished(bufferTyping(pending().loading));
    await userEvent.keyboard('modelss{Backspace}{Enter}');
    expect(box.value).toBe('');
    await userEvent.click(button);
    expect(box.value).toBe('models');
    expect(entered()).toBe(0);
  },
);

test('if the command palette fails to load, the letters typed meanwhile go into the text field', async () => {
  const { box, entered } = stage();
  box.value = 'ab';
  box.setSelectionRange(1, 1);
  const { loading, refuse } = pending();
  onTestFinished(bufferTyping(loading));
  await userEvent.keyboard('xy{Enter}');
  expect(box.value).toBe('ab');
  refuse();
  await expect.poll(() => box.value).toBe('axyb');
  expect(entered()).toBe(0);
  await userEvent.keyboard('z');
  expect(box.value).toBe('axyzb');
});
