/**
 * Has the transactions that write wait for one another, by a table that all of them name. Chromium takes two that were under way in one
 * database when it was killed for damage, though they write in different tables, and deletes all databases: after a crash it wants the lock
 * of the database for each alone. Why and how in docs/decisions/2026-11-27-half-a-record.md.
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
