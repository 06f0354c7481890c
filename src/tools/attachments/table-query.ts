import { z } from '../../contracts/schema';

export const TableQuery = z.strictObject({
  where: z.optional(
    z
      .array(
        z.strictObject({
          column: z.string(),
          is: z.enum(['=', '!=', '>', '>=', '<', '<=', 'contains', 'empty', 'not empty']),
          value: z.optional(z.union([z.string(), z.number(), z.boolean()])),
        }),
      )
      .check(z.describe('Conditions that all must hold, such as {"column":"city","is":"=","value":"Oslo"}')),
  ),
  columns: z.optional(z.array(z.string()).check(z.describe('Columns to show; all where left out'))),
  aggregate: z.optional(z.enum(['count', 'sum', 'average', 'min', 'max', 'median', 'distinct'])),
  of: z.optional(z.string().check(z.describe('Column of the aggregate'))),
  groupBy: z.optional(z.string().check(z.describe('Column: one aggregate for each of its values'))),
  sortBy: z.optional(z.string().check(z.describe('Column'))),
  descending: z.optional(z.boolean()),
  limit: z.optional(
    z.int().check(z.minimum(1), z.maximum(500), z.describe('Rows to show, 20 where left out')),
  ),
});
export type TableQuery = z.infer<typeof TableQuery>;
