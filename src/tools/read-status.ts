/** What a status of 4xx or 5xx means, in words for the model and the person. */

const meanings = new Map([
  [400, 'it did not understand the request'],
  [401, 'it wants a login or a key'],
  [402, 'it wants to be paid'],
  [403, 'it does not allow this'],
  [404, 'there is no such page'],
  [405, 'it does not allow this'],
  [408, 'it waited too long'],
  [410, 'the page is gone for good'],
  [413, 'the request is too long'],
  [414, 'the address is too long'],
  [429, 'too many requests; try again in a minute'],
  [451, 'it may not show this here'],
  [500, 'it has an error of its own'],
  [502, 'what stands behind it did not answer'],
  [503, 'it is out of service for now'],
  [504, 'what stands behind it did not answer in time'],
]);

/** `404: there is no such page`. */
export function readStatus(status: number): string {
  const general = status >= 500 ? 'it has an error of its own' : 'it refused the request';
  return `${status}: ${meanings.get(status) ?? general}`;
}
