/** Money, at the rates of the European Central Bank. The one tool of the gallery with a host. */
import type { CustomToolContent } from '../../../contracts/custom-tool';

export const currency: CustomToolContent = {
  name: 'convert_currency',
  title: 'Currency',
  description:
    'Converts an amount of money between currencies at the latest daily rate. Use it when the question names two currencies.',
  keywords: {
    en: ['money', 'exchange rate', 'dollars', 'euros', 'yen', 'pounds', 'yuan', 'worth'],
    zh: ['汇率', '换钱', '美元', '欧元', '人民币', '日元', '值多少'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      amount: { type: 'number', minimum: 0 },
      from: { type: 'string', pattern: '^[A-Za-z]{3}$', description: 'Code, such as USD' },
      to: { type: 'string', pattern: '^[A-Za-z]{3}$', description: 'Code, such as EUR' },
    },
    required: ['amount', 'from', 'to'],
  },
  class: 'net-read',
  hosts: ['api.frankfurter.dev'],
  secrets: [],
  limits: { timeMs: 10_000, outputCharacters: 2_000, hostCalls: 1 },
  code: String.raw`const from = args.from.toUpperCase();
const to = args.to.toUpperCase();
if (from === to) return { amount: args.amount, currency: to };
const answer = await host.fetch('https://api.frankfurter.dev/v1/latest?base=' + from + '&symbols=' + to);
if (answer.status === 404) throw new Error('No rate for ' + from + ' to ' + to + '. Use codes such as USD, EUR, JPY, CNY.');
if (!answer.ok) throw new Error('The rates did not come: ' + answer.status + '. Try again later.');
const { rates, date } = JSON.parse(answer.text);
const rate = rates && rates[to];
if (typeof rate !== 'number') throw new Error('No rate for ' + from + ' to ' + to + '.');
return { amount: Number((args.amount * rate).toFixed(2)), currency: to, rate, date };`,
  examples: [
    {
      request: 'What are 100 dollars in euros?',
      arguments: { amount: 100, from: 'USD', to: 'EUR' },
    },
    {
      request: '',
      arguments: { amount: 5, from: 'eur', to: 'EUR' },
      result: '{"amount":5,"currency":"EUR"}',
    },
  ],
};
