/**
 * The calls that a request plainly spells out: a sum, a request worded like an example of a tool, or several of them joined. They need
 * no model, and a very small one would get some of them wrong.
 */
import type { ToolCall } from '../contracts/message';
import type { Tool } from '../contracts/tool';
import { readAskedSum } from '../text/arithmetic';
import { matchExamples } from './match-example';
import type { IsPlace, WeatherRequest } from './weather';
import { readWeatherRequest } from './weather-request';

export type PlainCall = Pick<ToolCall, 'name' | 'arguments'>;

/** A longer message is about something. */
const longestRequest = 300;
const mostCalls = 8;

/**
 * Undefined where any part of the request is left over. Only tools that touch nothing are called, and the weather, which is asked about.
 * `isPlace`: where the tool for the weather is on.
 */
export function readRequest(
  request: string,
  tools: readonly Tool[],
  isPlace?: IsPlace,
): PlainCall[] | undefined {
  if (request.length > longestRequest) return undefined;
  const calls = readParts(request.trim(), { tools, isPlace }, mostCalls);
  const isPure = calls?.every(
    (call) => call.name === 'weather' || toolOf(call, tools)?.effects(call.arguments).type === 'pure',
  );
  return calls && isPure && calls.length <= mostCalls ? calls : undefined;
}

/** Each is tried as it stands before it is taken apart. */
interface Known {
  tools: readonly Tool[];
  isPlace: IsPlace | undefined;
}

function readParts(request: string, known: Known, most: number): PlainCall[] | undefined {
  if (request === '' || most <= 0) return undefined;
  const whole = readWhole(request, known);
  if (whole) return whole;
  for (const { index, 0: joint } of request.matchAll(joints)) {
    const first = readWhole(request.slice(0, index), known);
    const rest = first && readParts(request.slice(index + joint.length), known, most - first.length);
    if (rest) return [...first, ...rest];
  }
  return undefined;
}

const joints =
  /\s*(?:[,;，；。?？]\s*(?:and\s+|还有|以及|和)?|\s+and\s+(?:also\s+)?|\s+plus\s+|还有|以及|和)\s*/gi;

function readWhole(request: string, { tools, isPlace }: Known): PlainCall[] | undefined {
  const sum = readAskedSum(request);
  const calculator = tools.find(({ name }) => name === 'calculator');
  if (sum !== undefined && calculator) return [{ name: calculator.name, arguments: { expression: sum } }];
  const weather = isPlace && readWeatherRequest(request, isPlace);
  if (weather && weather.places.length > 0) return weatherCalls(weather);
  // What is no sum by its signs is none by its wording: `How much is a coffee?`
  const others = tools.filter((tool) => tool !== calculator && tool.name !== 'weather');
  const read = others.flatMap((tool) => {
    const found = matchExamples(request, tool);
    return found ? [found.map((given) => ({ name: tool.name, arguments: given }))] : [];
  });
  // Two tools that both claim it: the model decides.
  return read.length === 1 ? read[0] : undefined;
}

export function weatherCalls({ places, days }: WeatherRequest): PlainCall[] {
  return places.map((place) => ({
    name: 'weather',
    arguments: { place, ...(days !== undefined && { days }) },
  }));
}

function toolOf({ name }: PlainCall, tools: readonly Tool[]): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
