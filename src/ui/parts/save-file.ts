import { createElement } from '../markdown/create-element';

export function saveFile(name: string, content: BlobPart, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  createElement('a', { href: url, download: name }).click();
  // The browser has started the download by then and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
