/** The editor of code in a real browser: what is typed over a selection that the browser made. */
import { expect, test } from 'vitest';
import { createCodeEditor } from '../../src/ui/tools/code-editor';

const lines = Array.from({ length: 600 }, (_, at) => `const a${at} = 'value ${at}';`).join('\n');

test(`typing after the browser's "Select all" replaces all of a long code`, async () => {
  const host = document.body.appendChild(document.createElement('div'));
  let code = '';
  const editor = createCodeEditor(host, { text: lines, label: 'Code', onChange: (text) => (code = text) });
  const content = host.shadowRoot!.querySelector<HTMLElement>('.cm-content')!;
  content.focus();
  await expect.poll(() => content.children.length).toBeGreaterThan(10);
  expect(content.children.length).toBeLessThan(600);
  // As the menu of a phone or of the mouse does it, and typed before the editor hears of the selection.
  getSelection()!.selectAllChildren(content);
  const typed = { inputType: 'insertText', data: 'x', bubbles: true, cancelable: true };
  content.dispatchEvent(new InputEvent('beforeinput', typed));
  expect(code).toBe('x');
  editor.destroy();
  host.remove();
});
