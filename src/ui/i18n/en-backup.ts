/** What is said of backups, in English. */
import type { BackupPart, BackupSource, FolderTrouble } from '../../contracts/backup';
import type { ErrorCode } from '../../contracts/error-code';

type BackupError = Extract<ErrorCode, `backup-${string}`>;

export const enBackupErrors = {
  'backup-unknown': () =>
    'This is not a file that Hearth can read in. Nothing was changed. Choose a backup of Hearth, an export of ChatGPT or Open WebUI, or chats of llama.cpp.',
  'backup-damaged': () =>
    'This file is cut off, or was changed since it was written. Nothing was changed here. Copy it anew from where it came from, or choose another backup.',
  'backup-refused': () =>
    'This file holds what no backup of Hearth holds, so it was not read further. Nothing was changed. Take only files of your own, or from somebody you trust.',
  'backup-newer': () =>
    'A newer Hearth wrote this file. Nothing was changed. Reload to get the newest version, then import it again.',
  'backup-too-large': () =>
    'This file holds more than there is room for in this browser. Nothing was changed. Free some space, then try again.',
  'backup-passphrase': () =>
    'This file is encrypted, and the passphrase is missing or another one. Nothing was changed. Type the passphrase it was made with, then try again.',
  'backup-unread': () =>
    'The browser could not read this file: it was moved, changed meanwhile, or may not be read. Nothing was changed. Choose it again.',
  'backup-unwritable': () =>
    'The browser could not write the file. Your chats are kept. Choose another place, then try again.',
  'backup-gone': () =>
    'What was read from the file is not here any more. Nothing was changed. Choose the file again.',
  'backup-broken': () =>
    'Hearth broke down over this, perhaps for lack of memory. Nothing was changed. Close other tabs, then try again.',
} satisfies Record<BackupError, (model: string, detail: string) => string>;

/** As `language.number` wrote it. */
const count = (number: string, name: string) => `${number} ${name}${number === '1' ? '' : 's'}`;

export const enBackup = {
  title: 'Backup',
  about:
    'All that you keep in Hearth, in one file that you can open on another device. It leaves this device only if you take it elsewhere.',
  choose: 'Choose what goes in',
  parts: {
    chats: 'Chats',
    notes: 'Notes',
    prompts: 'Your prompts',
    personas: 'Personas',
    tools: 'Tools of your own',
    servers: 'MCP servers',
    permissions: 'Permissions',
    settings: 'Settings, log and tests of models',
    keys: 'Keys and logins',
  } satisfies Record<BackupPart, string>,
  keysHint: 'Only in a file with a passphrase. Whoever opens that file can use your accounts.',
  passphrase: 'Passphrase',
  passphraseHint:
    'With a passphrase the file is encrypted. There is no other way into it: if the passphrase is lost, so is the file. Four or five random words are good.',
  show: 'Show',
  hide: 'Hide',
  everything: 'Export everything',
  chosen: 'Export what is chosen',
  import: 'Import',
  again: 'Try again',
  stop: 'Stop',
  writing: (percent: string) => `Writing the file: ${percent}`,
  reading: (percent: string) => `Reading the file: ${percent}. Nothing changes yet.`,
  taking: (percent: string) => `Taking it over: ${percent}. All of it comes in, or nothing.`,
  written: (chats: string, messages: string, size: string) =>
    `Written: ${count(chats, 'chat')} with ${count(messages, 'message')}, ${size}.`,
  sealed: 'It opens only with the passphrase: keep that somewhere else.',
  unreadable: (count: string) =>
    `${count} damaged entries could not be read, or only in part; what can be read of them is in the file.`,
  preview: 'What this file would bring',
  ofFile: (name: string, when: string) => `${name}, written ${when}.`,
  ofUndatedFile: (name: string) => `${name}.`,
  sources: {
    hearth: 'A backup of Hearth.',
    chatgpt: 'An export of ChatGPT.',
    'open-webui': 'An export of Open WebUI.',
    'llama-ui': 'Chats of llama.cpp.',
  } satisfies Record<BackupSource, string>,
  kind: 'Kind',
  inFile: 'In the file',
  added: 'New here',
  differing: 'Different here',
  tables: {
    chats: 'Chats',
    messages: 'Messages',
    folders: 'Folders',
    drafts: 'Unsent texts',
    followUps: 'Messages that wait',
    results: 'Long results',
    attachments: 'Attached files',
    notes: 'Notes',
    prompts: 'Your prompts',
    personas: 'Personas',
    customTools: 'Tools of your own',
    mcpServers: 'MCP servers',
    grants: 'Permissions',
    settings: 'Settings',
    requests: 'Logged requests',
    toolStatistics: 'Tools counted',
    exams: 'Tests of models',
    toolSecrets: 'Keys of tools',
    mcpSecrets: 'Keys and logins of servers',
  } as Readonly<Record<string, string>>,
  leftOut: (count: string, such: string) =>
    `${count} things in it, such as ${such}, have no place here and stay behind.`,
  unplaced: {
    hearth: 'pictures and files',
    chatgpt: 'pictures, files, calls of tools, custom instructions and memories',
    'open-webui': 'pictures, files, calls of tools, tags and folders (their names are not in it)',
    'llama-ui': 'pictures, files, calls of tools and system messages',
  } satisfies Record<BackupSource, string>,
  nothing: 'The file holds nothing.',
  between: ', ',
  takeParts: 'What comes in',
  trust:
    'Tools, servers, permissions and settings decide what Hearth runs and whom it asks. Take them only from a file of your own.',
  mergeHint:
    '“Merge” adds what is not here. Where both have a thing and it differs, the later one is kept; where no time tells, the one here.',
  replaceHint: '“Replace” first deletes what is chosen above from this browser, then brings in the file’s.',
  merge: 'Merge',
  replace: 'Replace',
  replaceTitle: 'Replace what is here?',
  replaceText: (parts: string) =>
    `This is deleted here first, for good: ${parts}. Then the file’s comes in its place. Keys that the file lacks go with the settings they belong to.`,
  waiting: 'A chat is being answered. Wait for its end, then bring the file in.',
  taken: (chats: string, messages: string) =>
    `Brought in: ${count(chats, 'chat')} with ${count(messages, 'message')}.`,
  takenOther: 'Brought in.',
  folder: {
    title: 'Backups by themselves',
    about:
      'Choose a folder once, and Hearth puts a backup there after changes, at most one an hour, and reads each back to see that it is whole. The last ten are kept, and the last of every month before them; other files in the folder are left alone. If the folder is one that your computer copies elsewhere, so are the backups.',
    passphrase:
      'With a passphrase in the field above, these backups are encrypted with it and hold your keys too. It is then kept in this browser, so that you are not asked each time.',
    notOffered:
      'This browser cannot keep a folder, so it makes no backups by itself. Chrome and Edge on a computer can. Here, “Export everything” now and then.',
    remind: 'Remind me, at most once a month',
    choose: 'Choose folder',
    other: 'Choose another folder',
    forget: 'Stop these backups',
    now: 'Back up now',
    allow: 'Allow, and back up now',
    restore: (when: string) => `Restore the backup of ${when}`,
    older: 'Older ones',
    from: (when: string) => `The one of ${when}`,
    passedOver: {
      damaged: (when: string) => `The backup of ${when} is damaged, and was passed over.`,
      unopened: (when: string) => `The backup of ${when} could not be opened, and was passed over.`,
    },
    chosen: (name: string) => `They go to “${name}”.`,
    encrypted: 'They are encrypted.',
    open: 'They are not encrypted, and hold no keys.',
    busy: 'At work.',
    last: (when: string, size: string) => `Last backup: ${when}, ${size}, read back whole.`,
    none: 'None was made yet.',
    noneSince:
      'None was made from here yet. What is in the folder can be restored first: the next is made after a change here.',
    see: 'See backups',
    troubles: {
      permission:
        'No backups are made: the browser wants you to allow the folder again. What you have is kept here. Press “Allow, and back up now”.',
      gone: 'No backups are made: the folder is not there any more. What you have is kept here. Choose another folder.',
      full: 'No backups are made: the disk of the folder is full. What you have is kept here. Free some space, or choose another folder.',
      unsound:
        'The last backup could not be read back as it was written, so it was deleted. Older ones are kept. The disk may be failing: choose another folder.',
      unkept:
        'The folder cannot be kept: this browser cannot open its stored data now. Your backups are untouched. Reload first. If that does not help, delete the data of this site in the settings of the browser, then choose the folder again.',
      failed:
        'The last backup could not be written. What you have is kept here. Press “Back up now”, or choose another folder.',
    } satisfies Record<FolderTrouble, string>,
    reminder: (days?: number) =>
      days === undefined
        ? 'Your chats are only in this browser. “Export everything” makes a file of them that you can keep elsewhere.'
        : `Your last export was ${days} days ago. What came since is only in this browser.`,
  },
};

export type BackupWords = typeof enBackup;
