/**
 * Serializes write transactions by adding a common table to each. After a kill during two concurrent writes, Chromium takes them for damage
 * and deletes all databases, even if they write to different tables. See docs/decisions/2026-11-27-half-a-record.md.
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
