/** The editor of code: CodeMirror, for JavaScript. Loaded with the first tool that is opened. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface CodeEditor {
  /** What is there already is left as it is, with the cursor. */
  setText: (text: string) => void;
  setLabel: (label: string) => void;
  destroy: () => void;
}

interface CodeEditorOptions {
  text: string;
  /** What a screen reader calls it. */
  label: string;
  onChange: (text: string) => void;
}

const look = EditorView.theme({
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

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--accent)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--ink-2)', fontStyle: 'italic' },
]);

/**
 * What is typed over a selection is put there by the editor. The browser would carry the colours of what it replaces
 * over in a style attribute, which the policy refuses.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || event.data === null || view.composing) return false;
    const range = selectedIn(view);
    if (range.from === range.to) return false;
    event.preventDefault();
    view.dispatch({
      ...{ changes: { ...range, insert: event.data }, userEvent: 'input.type', scrollIntoView: true },
      selection: { anchor: range.from + event.data.length },
    });
    return true;
  },
});

/** As the browser has it: the editor hears of it a moment later. */
function selectedIn(view: EditorView): { from: number; to: number } {
  const { main } = view.state.selection;
  const selection = tellsSelection(view.root) ? view.root.getSelection() : null;
  if (!selection?.anchorNode || !selection.focusNode) return main;
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (!view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode)) return main;
  const ends = [view.posAtDOM(anchorNode, anchorOffset), view.posAtDOM(focusNode, focusOffset)];
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  // Of a long text only a part is drawn. Who selects all of that by the browser's own command means the whole.
  if (from <= view.viewport.from && to >= view.viewport.to) return { from: 0, to: view.state.doc.length };
  return { from, to };
}

/** Of a shadow root only Chromium tells it; elsewhere what the editor knows must do. */
function tellsSelection(root: object): root is { getSelection: () => Selection | null } {
  return 'getSelection' in root && typeof root.getSelection === 'function';
}

/**
 * Inside `host`, in a shadow root: there CodeMirror's styles are an adopted sheet, which the policy allows; in the page
 * they would be a style element, which it does not. What is typed stays as it was typed: no bracket closes by itself.
 */
export function createCodeEditor(host: HTMLElement, options: CodeEditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const label = new Compartment();
  const named = (text: string) => EditorView.contentAttributes.of({ 'aria-label': text, tabindex: '0' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        typeOver,
        indentUnit.of('  '),
        EditorView.lineWrapping,
        javascript(),
        syntaxHighlighting(colors),
        look,
        label.of(named(options.label)),
        // After Escape, Tab leaves the editor: nobody is caught in it.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });

  return {
    setText(text) {
      const before = view.state.doc.toString();
      if (text !== before) view.dispatch({ changes: { from: 0, to: before.length, insert: text } });
    },
    setLabel: (text) => view.dispatch({ effects: label.reconfigure(named(text)) }),
    destroy: () => view.destroy(),
  };
}
