/** That code of Hearth itself could not be fetched: there is no network, or the server is away. It is no fault of what the code was given. */

/** Each browser says so in its own words, and Vite of styles. */
const said = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/** Whether an error, as text, says so. */
export function tellsMissing(text: string): boolean {
  return said.test(text);
}

/** Of a worker, whose code a browser does not name. Its message is a sentence for a model, or for the details. */
export class NotLoaded extends Error {
  override readonly message = 'What does this could not be loaded. Go online, then try again.';
}
