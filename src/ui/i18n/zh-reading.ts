/** What is said where replies are read, in Simplified Chinese. */
import type { enReading } from './en-reading';

export const zhReading: typeof enReading = {
  blocks: {
    copy: '复制代码',
    failed: '未能复制',
    wrap: '自动换行',
    lines: (count) => `${count} 行`,
    rows: (count) => `${count} 行`,
    csv: 'CSV',
    copyCsv: '把这个表格复制成 CSV，可贴进电子表格',
    code: '代码',
    formula: '公式',
    table: '表格',
  },
};
