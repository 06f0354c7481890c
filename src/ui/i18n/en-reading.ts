/** What is said where replies are read, in English. */
import { plural } from './en';

export const enReading = {
  copyFailed: 'The browser did not allow copying. Select the text and copy it by hand.',
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
    picture: (host: string) => `Show the picture from ${host}`,
    ownPicture: 'Show the picture',
  },
  /** Of an answer, on demand. */
  moment: {
    open: 'When this was written',
    when: 'Written',
    by: 'By',
    page: 'Hearth itself; no model was asked',
    unknown: 'not recorded by the version that wrote it',
  },
  /** Where a picture of an answer is shown. */
  pictures: {
    stop: 'Stop fetching',
    hide: 'Hide the picture',
    unnamed: 'A picture without a description',
    ask: {
      title: (host: string) => `Fetch a picture from ${host}?`,
      hint: 'A model put this address together. What it holds is told to that server, so see that it gives nothing away.',
      fetch: 'Fetch it',
    },
    problems: {
      offline: 'This device is offline. Connect to the internet and press again.',
      refused:
        'Hearth fetches pictures over https from the public internet alone, and this address is none of it.',
      timeout: 'The server did not send it in time. Press again later.',
      unreachable:
        'It could not be fetched. There may be no such server, or it may not let other pages read its pictures. The link opens it in a tab of its own.',
      none: 'The server has no picture at this address.',
      other: 'What came is no PNG, JPEG, GIF or WebP picture, so it is not shown.',
      large: 'It is larger than 10 MB or 50 megapixels, so it is not shown.',
      damaged: 'The picture is damaged: this browser cannot draw it.',
    },
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
