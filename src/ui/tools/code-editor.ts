/** A JavaScript editor based on CodeMirror. Loads when the user opens the first tool. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor is in a shadow root of `host`, where our content security policy allows its style sheet. */
export function createCodeEditor(host: HTMLElement, onChange: (text: string) => void) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const label = new Compartment();
  const ariaLabel = (text: string) => EditorView.contentAttributes.of({ 'aria-label': text, tabindex: '0' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        typeOverSelection,
        indentUnit.of('  '),
        EditorView.lineWrapping,
        javascript(),
        syntaxHighlighting(codeColors),
        editorTheme,
        label.of(ariaLabel('')),
        // After Escape, Tab leaves the editor, so keyboard users are not trapped.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });

  return {
    /** Replaces the text. Keeps the cursor if the text is unchanged. */
    setText(text: string) {
      const before = view.state.doc.toString();
      if (text !== before) view.dispatch({ changes: { from: 0, to: before.length, insert: text } });
    },
    setLabel: (text: string) => view.dispatch({ effects: label.reconfigure(ariaLabel(text)) }),
    destroy: () => view.destroy(),
  };
}

const editorTheme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', font: 'var(--code)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: '1.6', minHeight: '12rem', maxHeight: '32rem' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-gutters': { color: 'var(--ink-2)', backgroundColor: 'var(--sunken)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sunken)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#fbe8dc, #38241a)',
  },
});

const codeColors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--accent)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--ink-2)', fontStyle: 'italic' },
]);

/** To replace a selection, the browser would add a style attribute, which our content security policy blocks. */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || event.data === null || view.composing) return false;
    const range = selectionIn(view);
    if (range.from === range.to) return false;
    event.preventDefault();
    view.dispatch({
      changes: { ...range, insert: event.data },
      selection: { anchor: range.from + event.data.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

/** The browser's selection, because the editor's own state lags behind. */
function selectionIn(view: EditorView): { from: number; to: number } {
  const { main } = view.state.selection;
  const selection = hasSelection(view.root) ? view.root.getSelection() : null;
  if (!selection?.anchorNode || !selection.focusNode) return main;
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (!view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode)) return main;
  const ends = [view.posAtDOM(anchorNode, anchorOffset), view.posAtDOM(focusNode, focusOffset)];
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  // The editor renders only a part of a long text. If all of that is selected, the user selected everything.
  if (from <= view.viewport.from && to >= view.viewport.to) return { from: 0, to: view.state.doc.length };
  return { from, to };
}

/** Only Chromium has `getSelection` on a shadow root. In other browsers, we use the editor's own selection. */
function hasSelection(root: object): root is { getSelection: () => Selection | null } {
  return 'getSelection' in root && typeof root.getSelection === 'function';
}
