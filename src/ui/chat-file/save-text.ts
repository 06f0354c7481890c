/** Gives the person a chat as a file, named after it. */
import { saveFile } from '../parts/save-file';

const types = { md: 'text/markdown', html: 'text/html', json: 'application/json' } as const;

export function saveText(title: string, ending: keyof typeof types, text: string): void {
  saveFile(`${nameFor(title)}.${ending}`, text, types[ending]);
}

/** As every system takes one. */
function nameFor(title: string): string {
  const plain = title.replace(/[\p{Cc}\\/:*?"<>|\s]+/gu, ' ').trim();
  return plain.replace(/^\.+|\.+$/g, '').slice(0, 80) || 'chat';
}
