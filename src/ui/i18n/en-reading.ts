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
    note: (label: string) => `Footnote ${label}`,
    noteBack: (label: string) => `Back to where footnote ${label} belongs`,
  },
  /** Where a reply is read aloud. */
  aloud: {
    open: 'Read aloud',
    label: 'Reading aloud',
    voice: 'Voice',
    start: 'Speak',
    hold: 'Pause speech',
    goOn: 'Resume speech',
    end: 'End speech',
    elsewhere: ', not on this device',
    noneHere:
      'There is no voice on this device. The others are the browser maker’s: this answer would be sent there to be spoken.',
    useElsewhere: 'Use such a voice',
    none: 'This browser has no voice. Add one in the system’s settings for speech, then reload.',
    formula: 'a formula',
    codeLeftOut: (lines: number) => `Code of ${plural(lines, 'line', 'lines')}, not read.`,
  },
};
