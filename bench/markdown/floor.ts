/** The lowest possible cost of showing a growing reply: appends its final nodes as far as the text has arrived. */

type Step =
  | { type: 'open'; node: Element }
  | { type: 'close'; isSettled: boolean }
  | { type: 'text'; text: string };

/** `show(done)` fills `target` up to this share, from 0 to 1, of the text in `finished`. */
export function createFloor(target: Element, finished: Element): { show(done: number): void } {
  const steps: Step[] = [];
  let length = 0;
  const flatten = (node: Node) => {
    if (node instanceof Text) {
      steps.push({ type: 'text', text: node.data });
      length += node.data.length;
    } else if (node instanceof Element) {
      const copy = node.cloneNode(false) as Element;
      const isSettled = copy.classList.contains('settled');
      copy.classList.remove('settled');
      steps.push({ type: 'open', node: copy });
      node.childNodes.forEach(flatten);
      steps.push({ type: 'close', isSettled });
    }
  };
  finished.childNodes.forEach(flatten);

  const parents = [target];
  let at = 0;
  let shown = 0;
  let text: Text | undefined;

  return {
    show(done) {
      const end = Math.round(length * done);
      for (let step = steps[at]; step; step = steps[at]) {
        const parent = parents.at(-1) ?? target;
        if (step.type === 'open') {
          parent.append(step.node);
          parents.push(step.node);
        } else if (step.type === 'close') {
          // The layout may skip a finished block outside the viewport. That is allowed for the floor too.
          const closed = parents.pop();
          if (step.isSettled) closed?.classList.add('settled');
        } else {
          const from = text?.length ?? 0;
          const part = step.text.slice(from, from + end - shown);
          shown += part.length;
          if (text) text.appendData(part);
          else parent.append((text = new Text(part)));
          if (text.length < step.text.length) return;
          text = undefined;
        }
        at++;
      }
    },
  };
}
