/**
 * What is being written in a form and is kept nowhere yet, by the name of the form: it is there again after a reload and after another screen.
 * On this device, beside the look.
 */

const keyOf = (form: string) => `hearth.unsaved.${form}`;

/** By field. Undefined where nothing is. */
export function unsavedIn(form: string): Readonly<Partial<Record<string, string>>> | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(form)) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return undefined;
    return Object.fromEntries(Object.entries(kept).filter(([, text]) => typeof text === 'string'));
  } catch {
    return undefined;
  }
}

/** Without `fields` it is forgotten: it is kept elsewhere now, or was let go of. */
export function holdUnsaved(form: string, fields?: Readonly<Record<string, string>>): void {
  try {
    if (fields) localStorage.setItem(keyOf(form), JSON.stringify(fields));
    else localStorage.removeItem(keyOf(form));
  } catch {
    // Refused or full: it is there as long as the form is.
  }
}
