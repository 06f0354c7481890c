import { expect, test } from 'vitest';
import { createCodeEditor } from '../../src/ui/tools/code-editor';

const lines = Array.from({ length: 600 }, (_, at) => `const a${at} = 'value ${at}';`).join('\n');

test('text typed after "Select all" in the code editor replaces all of a long text', async () => {
  const host = document.body.appendChild(document.createElement('div'));
  let code = '';
  const editor = createCodeEditor(host, (text) => (code = text));
  editor.setText(lines);
  const content = host.shadowRoot!.querySelector<HTMLElement>('.cm-content')!;
  content.focus();
  await expect.poll(() => content.children.length).toBeGreaterThan(10);
  expect(content.children.length).toBeLessThan(600);
  // Selects through the browser and types before the editor notices the selection.
  getSelection()!.selectAllChildren(content);
  const typed = { inputType: 'insertText', data: 'x', bubbles: true, cancelable: true };
  content.dispatchEvent(new InputEvent('beforeinput', typed));
  expect(code).toBe('x');
  editor.destroy();
  host.remove();
});
