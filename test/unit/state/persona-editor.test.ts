import { describe, expect, test } from 'vitest';
import type { Persona, PersonaProblem } from '../../../src/contracts/persona';
import { PersonaEditor, personaFormOf, readPersonaForm } from '../../../src/state/persona-editor.svelte';
import type { PersonaFunctions } from '../../../src/state/personas.svelte';
import { personaContent, personaForm } from '../../support/persona';
import { createMemoryStore } from '../../../src/store/open-store';

const wrong: PersonaProblem = { field: 'name', code: 'tool-name-taken', detail: 'clock' };

/** `problems`: result of the check. `saving`: delays each save until it resolves. */
function parts({ problems = [], saving }: { problems?: PersonaProblem[]; saving?: Promise<void> } = {}) {
  const store = createMemoryStore().personas;
  let at = 1;
  const functions: PersonaFunctions = {
    ...store,
    async save(persona) {
      await saving;
      await store.save(persona);
    },
    watch: async () => undefined,
    check: async () => problems,
    readFile: async () => ({ ok: false, problem: 'not-json', reason: 'x' }),
    writeFile: async () => '',
    gallery: async () => [],
    newId: () => 'made',
    date: () => at++,
  };
  const open = async (id: string) => {
    const editor = new PersonaEditor(functions, id);
    await editor.open();
    return editor;
  };
  return { store, functions, open };
}

const kept: Persona = { id: 'p1', content: personaContent('Writer'), createdAt: 0, updatedAt: 0 };

describe('the persona editor', () => {
  test('stores a draft, restores it, and saves a valid persona', async () => {
    const { store, open } = parts();
    const editor = await open('new');
    expect(editor.status).toBe('ready');
    editor.change({ name: 'Wri' });
    editor.change({ name: 'Writer', temperature: '0,5' });
    await expect.poll(() => store.loadDraft('new')).toMatchObject({ form: { name: 'Writer' } });

    const again = await open('new');
    expect([again.form.name, again.isChanged]).toEqual(['Writer', true]);
    expect(await again.save()).toBe(true);
    expect([again.id, again.isChanged]).toEqual(['made', false]);
    expect(await store.loadDraft('new')).toBeUndefined();
    expect((await store.list()).personas).toMatchObject([
      { id: 'made', content: { name: 'Writer', sampling: { temperature: 0.5 }, tools: 'all' } },
    ]);
  });

  test('does not save an invalid persona, and shows a problem until its field changes', async () => {
    const { store, open } = parts({ problems: [wrong] });
    const editor = await open('new');
    editor.change({ name: 'Clock', isTool: true });
    expect(await editor.save()).toBe(false);
    expect(editor.problems).toEqual([wrong]);
    expect((await store.list()).personas).toEqual([]);
    editor.change({ description: 'Tells the time.' });
    expect(editor.problems).toEqual([wrong]);
    editor.change({ name: 'Clocks' });
    expect(editor.problems).toEqual([]);
  });

  test('keeps text typed during a save as a draft of the saved persona', async () => {
    let release: () => void = () => undefined;
    const saving = new Promise<void>((resolve) => (release = resolve));
    const { store, open } = parts({ saving });
    await store.save(kept);
    const editor = await open('p1');
    editor.change({ name: 'A' });
    const saved = editor.save();
    editor.change({ name: 'AB' });
    release();
    expect(await saved).toBe(true);
    expect([editor.form.name, editor.isChanged, editor.saved?.content.name]).toEqual(['AB', true, 'A']);
    await expect.poll(() => store.loadDraft('p1')).toMatchObject({ form: { name: 'AB' } });
    await editor.discard();
    expect([editor.form.name, await store.loadDraft('p1')]).toEqual(['A', undefined]);
  });

  test('reports that the requested persona does not exist', async () => {
    expect((await parts().open('p1')).status).toBe('missing');
  });
});

describe('the form of a persona', () => {
  test('can be converted to a persona and back without loss', () => {
    const content = personaContent('Writer', {
      sampling: { temperature: 0, topP: 0.9 },
      tools: ['clock'],
      isTool: true,
      language: 'zh',
      inputSchema: { type: 'object', properties: {} },
    });
    expect(readPersonaForm(personaFormOf(content))).toEqual({ ok: true, content });
  });

  test.for([
    { name: 'a word instead of a number', changed: { temperature: 'hot' }, found: ['temperature: range'] },
    { name: 'incomplete JSON', changed: { isTool: true, inputSchema: '{' }, found: ['inputSchema: schema'] },
    {
      name: 'JSON that is not an object',
      changed: { isTool: true, outputSchema: '[]' },
      found: ['outputSchema: schema'],
    },
  ])('reports which field contains $name', ({ changed, found }) => {
    const read = readPersonaForm(personaForm('Writer', changed));
    expect(read.ok ? [] : read.problems.map(({ field, code }) => `${field}: ${code}`)).toEqual(found);
  });

  test('can be saved even if a hidden field is invalid', () => {
    expect(readPersonaForm(personaForm('Writer', { inputSchema: '{' }))).toEqual({
      ok: true,
      content: personaContent('Writer'),
    });
  });
});
