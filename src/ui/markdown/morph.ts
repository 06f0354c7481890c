/** Makes a tree on the screen equal to a fresh one and keeps every node that can stay, and with it a selection. */

/** `kept` is told of each element that took the place of its fresh twin. */
export function morph(old: Element, fresh: Element, kept: (old: Element, fresh: Element) => void): void {
  // The same formula: it may be drawn already.
  const isSame =
    old.hasAttribute('data-math') && old.getAttribute('data-math') === fresh.getAttribute('data-math');
  matchAttributes(old, fresh);
  if (isSame) {
    kept(old, fresh);
    return;
  }
  let at = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const next: ChildNode | null = at?.nextSibling ?? null;
    if (at === null) old.append(node);
    else if (at instanceof Text && node instanceof Text) matchText(at, node.data);
    else if (at instanceof Element && node instanceof Element && at.tagName === node.tagName)
      morph(at, node, kept);
    else at.replaceWith(node);
    at = next;
  }
  while (at) {
    const next: ChildNode | null = at.nextSibling;
    at.remove();
    at = next;
  }
  kept(old, fresh);
}

function matchText(node: Text, text: string): void {
  if (node.data === text) return;
  // Text that only grew is added to: replacing it would collapse a selection in it.
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
  else node.data = text;
}

function matchAttributes(old: Element, fresh: Element): void {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.attributes.length === fresh.attributes.length) return;
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
}
