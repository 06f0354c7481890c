/** Any search API with JSON replies. The user enters an address with placeholders and the paths to the hits. */
import { defaultPaths, type ProviderSetting } from '../../../contracts/settings';
import type { Hit, SearchProvider } from '../provider';

export const template: SearchProvider = {
  id: 'template',
  name: 'Custom',
  fields: { url: 'needed', key: 'optional', paths: 'needed' },
  isOnByDefault: false,

  request({ query, count, language }, { url = '', key = '' }) {
    const places: Readonly<Record<string, string>> = { query, count: `${count}`, language };
    const filled = url.replace(/\{(\w+)\}/g, (place, name: string) => {
      const value = Object.hasOwn(places, name) ? places[name] : undefined;
      return value === undefined ? place : encodeURIComponent(value);
    });
    return {
      url: new URL(filled).href,
      method: 'GET',
      headers: { accept: 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
    };
  },

  read(reply, setting) {
    const paths = pathsOf(setting);
    const list = valueAt(reply, paths.list);
    if (!Array.isArray(list)) throw new Error(`there is no list at "${paths.list}"`);
    const hits = list.flatMap((item: unknown): Hit[] => {
      const url = valueAt(item, paths.url);
      const title = valueAt(item, paths.title);
      const content = valueAt(item, paths.content);
      if (typeof url !== 'string') return [];
      return [{ title: textOf(title) || url, url, content: textOf(content) }];
    });
    if (list.length > 0 && hits.length === 0) throw new Error(`no result has an address at "${paths.url}"`);
    return { hits };
  },
};

function pathsOf({ paths = {} }: ProviderSetting): typeof defaultPaths {
  const filled = Object.fromEntries(Object.entries(paths).filter(([, path]) => path.trim() !== ''));
  return { ...defaultPaths, ...filled };
}

/** Returns the value at a path; the path '' returns `value` itself. */
function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.').filter((name) => name !== '')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[step];
  }
  return found;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
