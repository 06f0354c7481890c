/** The tools of one exam request: the app's own, as in a chat, with a table instead of the network. Nothing leaves the device. */
import { type Egress, EgressError } from '../../contracts/egress';
import type { Tool } from '../../contracts/tool';

import { type Calculate, createCalculatorTool } from '../../tools/builtin/calculator';
import { createClock } from '../../tools/builtin/clock';
import { createFetchPage } from '../../tools/builtin/fetch-page';
import { createWebSearch } from '../../tools/builtin/web-search';
import type { SearchEngine } from '../../tools/web-search/search-engine';
import { type CannedTool, examTime, type ExamRequest } from './exam-request';

export function toolsOf(request: ExamRequest, calculate: Calculate): readonly Tool[] {
  const { found = [], pages = {}, tools = [] } = request;
  return [
    createCalculatorTool(calculate),
    createClock({ now: () => new Date(examTime), zone: () => 'Europe/London' }),
    createFetchPage({
      egress: tableOf(pages),
      readPage: () => Promise.reject(new Error('Every page of the exam is plain text.')),
      settings: () => ({ proxyUrl: '' }),
    }),
    createWebSearch({ searchEngine: engineOf(found) }),
    ...tools.map(cannedTool),
  ];
}

function tableOf(pages: Readonly<Record<string, string>>): Egress {
  return {
    send({ url }) {
      const text = pages[url];
      const { host } = new URL(url);
      if (text === undefined) return Promise.reject(new EgressError('unreachable', `${host} is not there.`));
      const headers = { 'content-type': 'text/plain; charset=utf-8' };
      return Promise.resolve({ url, status: 200, headers, text, isCut: false });
    },
  };
}

const target = { id: 'exam', name: 'Exam', host: 'search.example' };

function engineOf(found: NonNullable<ExamRequest['found']>): Pick<SearchEngine, 'targets' | 'search'> {
  return {
    targets: () => [target],
    search: () => Promise.resolve({ hits: [...found], sources: [target.host], failures: [] }),
  };
}

/** Describes the tool like a custom one: no additional arguments, all of them required. */
function cannedTool({ name, description, parameters, gives }: CannedTool): Tool {
  const required = Object.keys(parameters);
  return {
    ...{ name, title: name, description },
    inputSchema: { type: 'object', properties: parameters, required, additionalProperties: false },
    annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
    effects: () => ({ type: 'pure' }),
    execute(input, { signal }) {
      signal.throwIfAborted();
      const given = typeof input === 'object' && input !== null ? Object.keys(input) : [];
      const isWhole = required.every((key) => given.includes(key));
      const text = isWhole ? gives : `${name} takes {${required.join(', ')}}`;
      return Promise.resolve({
        content: [{ type: 'text', text }],
        isError: !isWhole,
        ...(!isWhole && { failure: 'arguments' as const }),
      });
    },
  };
}
