/** In letters; a Chinese character says as much as three. */
const longestQuestion = 300;
const mostLines = 4;

/** A text from elsewhere, with or without a question: nobody types so much to a model. Addresses do not count. */
export function isPasted(message: string): boolean {
  const written = message.replace(/https?:\S+/g, '').trim();
  const letters = written.replace(/\p{Script=Han}/gu, '···').length;
  return letters > longestQuestion || written.split(/\n+/).length > mostLines;
}
