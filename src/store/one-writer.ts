/**
 * Makes write transactions run one after another, by adding a common table to each. If the browser is killed during two concurrent writes,
 * even to different tables, Chromium takes them for damage and deletes all databases. See docs/decisions/2026-11-27-half-a-record.md.
 */
import type { DBCore, Middleware } from 'dexie';

export function oneWriter(table: string): Middleware<DBCore> {
  return {
    stack: 'dbcore',
    name: 'one-writer',
    create: (core) => ({
      ...core,
      transaction: (tables, mode, options) =>
        core.transaction(
          mode === 'readonly' || tables.includes(table) ? tables : [...tables, table],
          mode,
          options,
        ),
    }),
  };
}
