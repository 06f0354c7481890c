/** A reply that begins with a code block in which there are only calls: Gemma, Mistral, models that were taught code. */
import { callBlock } from '../codecs/call-block';
import type { ToolCallFormat } from '../format';

export const fencedCode: ToolCallFormat = {
  id: 'fenced-code',
  reading: {
    open: ['```python', '```python3', '```py', '```javascript', '```js', '```java'],
    close: ['```'],
    bodies: [callBlock],
    // In the middle of an answer a program is an example.
    at: 'start',
    isBare: true,
  },
};
