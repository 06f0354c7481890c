/** Chance: dice, a number, one of a list, a list shuffled. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const randomPick: CustomToolContent = {
  ...plain,
  name: 'random',
  title: 'Random and dice',
  description:
    'Rolls dice such as 2d6+1, draws a whole number from a range, or picks from a list. Use it whenever something is to be left to chance.',
  keywords: {
    en: ['dice', 'coin', 'chance', 'draw lots', 'pick one', 'choose', 'lottery'],
    zh: ['骰子', '硬币', '随机', '抽签', '抽奖', '选一个'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      dice: { type: 'string', maxLength: 20, description: 'Such as d20 or 2d6+1' },
      min: { type: 'integer' },
      max: { type: 'integer' },
      from: { type: 'array', items: { type: 'string' }, maxItems: 500, description: 'To pick from' },
      count: { type: 'integer', minimum: 1, maximum: 100, default: 1 },
    },
    required: [],
  },
  code: String.raw`const below = (limit) => Math.floor(Math.random() * limit);
if (args.dice !== undefined) {
  const match = /^(\d{0,3})d(\d{1,4})([+-]\d{1,4})?$/i.exec(args.dice.replace(/\s/g, ''));
  const [times, sides, plus] = match ? [Number(match[1] || 1), Number(match[2]), Number(match[3] ?? 0)] : [0, 0, 0];
  if (times < 1 || times > 100 || sides < 2) throw new Error('Write dice like d20 or 2d6+1, at most 100 of them.');
  const rolls = Array.from({ length: times }, () => below(sides) + 1);
  return { total: rolls.reduce((sum, roll) => sum + roll, plus), rolls };
}
if (args.from !== undefined) {
  if (args.from.length === 0) throw new Error('The list is empty: give at least one to pick from.');
  const rest = [...args.from];
  const picked = [];
  while (picked.length < args.count && rest.length > 0) picked.push(...rest.splice(below(rest.length), 1));
  return { picked };
}
const [min, max] = [args.min ?? 1, args.max ?? 100];
if (min > max) throw new Error('min is greater than max.');
return { numbers: Array.from({ length: args.count }, () => min + below(max - min + 1)) };`,
  examples: [
    { request: 'Roll two dice', arguments: { dice: '2d6' } },
    { request: '', arguments: { min: 7, max: 7, count: 2 }, result: '{"numbers":[7,7]}' },
    { request: '', arguments: { from: ['only'] }, result: '{"picked":["only"]}' },
  ],
};
