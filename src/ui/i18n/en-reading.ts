/** What is said where replies are read, in English. */
import { plural } from './en';

export const enReading = {
  /** Around blocks of code and tables. */
  blocks: {
    copy: 'Copy code',
    failed: 'Not copied',
    wrap: 'Wrap',
    lines: (count: number) => plural(count, 'line', 'lines'),
    rows: (count: number) => plural(count, 'row', 'rows'),
    csv: 'CSV',
    copyCsv: 'Copy this table as CSV, for a spreadsheet',
    code: 'Code',
    formula: 'Formula',
    table: 'Table',
  },
};
