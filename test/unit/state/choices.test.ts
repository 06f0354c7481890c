import { expect, test } from 'vitest';
import { Choices } from '../../../src/state/choices.svelte';

const { signal } = new AbortController();
const choice = (chatId: string) => ({ chatId, readings: [] });

test('the question of what the user meant is asked and answered separately in each chat', async () => {
  const choices = new Choices();
  const [one, other] = [choice('a'), choice('b')];
  const answers = [choices.ask(one, signal), choices.ask(other, signal)];
  expect([choices.choiceIn('a'), choices.choiceIn('b'), choices.choiceIn('c')]).toEqual([
    one,
    other,
    undefined,
  ]);
  choices.answer(other, 1);
  choices.answer(one, undefined);
  expect(await Promise.all(answers)).toEqual([undefined, 1]);
  expect(choices.choiceIn('a')).toBeUndefined();
  expect(choices.choiceIn('b')).toBeUndefined();
});

test('stopping a turn removes its question of what the user meant, and a late answer is ignored', async () => {
  const choices = new Choices();
  const abort = new AbortController();
  const one = choice('a');
  const answer = choices.ask(one, abort.signal);
  abort.abort(new Error('Stop'));
  await expect(answer).rejects.toThrow('Stop');
  expect(choices.choiceIn('a')).toBeUndefined();
  choices.answer(one, 0);
  await expect(choices.ask(one, abort.signal)).rejects.toThrow('Stop');
  expect(choices.choiceIn('a')).toBeUndefined();
});
