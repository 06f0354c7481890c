/** Leads from what is wrong to the field it is in. */

const focusable = 'input, textarea, select, button, [contenteditable="true"]';

/** The field is the element with this `data-field`, or the first one inside that takes the focus. */
export function focusField(screen: HTMLElement, field: string): void {
  const found = screen.querySelector<HTMLElement>(`[data-field='${field}']`);
  if (!found) return;
  found.closest('details')?.setAttribute('open', '');
  // The code's editor is in a shadow root.
  const inside = (found.shadowRoot ?? found).querySelector<HTMLElement>(focusable);
  const target = found.matches(focusable) ? found : (inside ?? found);
  target.scrollIntoView({ block: 'center' });
  target.focus({ preventScroll: true });
}
