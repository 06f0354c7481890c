/** Gives the person a chat as a file, named after it. */
const types = { md: 'text/markdown', html: 'text/html', json: 'application/json' } as const;

export function saveText(title: string, ending: keyof typeof types, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: types[ending] }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${nameFor(title)}.${ending}`;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** As every system takes one. */
function nameFor(title: string): string {
  const plain = title.replace(/[\p{Cc}\\/:*?"<>|\s]+/gu, ' ').trim();
  return plain.replace(/^\.+|\.+$/g, '').slice(0, 80) || 'chat';
}
