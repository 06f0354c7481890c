/** The user's own tools in this benchmark, as stored rows: a lamp, and verbs × things, so each tool has siblings of both kinds. */

const verbs =
  'list find share archive export print approve reject rename copy move delete count tag assign merge split lock pin track'.split(
    ' ',
  );
const things =
  `invoices photos tickets contacts orders meetings reports contracts parcels recipes playlists bookmarks budgets
  surveys shifts vehicles lessons patients samples machines permits auctions sensors stores claims donations exams flights
  gardens hotels insurances journals keys libraries menus newsletters offers podcasts quotes rooms scripts trips uniforms votes
  wines yachts zones badges cameras drills engines`
    .trim()
    .split(/\s+/);

/** The tool that the requests need exists at every size, before any sibling. */
const wanted = [['list', 'invoices']];

/** Returns a tool as its file holds it. */
export function toTool({ name, title, description, properties, required, example, code = 'return "done";' }) {
  return {
    name,
    title,
    description,
    code,
    class: 'pure',
    hosts: [],
    secrets: [],
    inputSchema: { type: 'object', properties, required },
    limits: { timeMs: 1000, outputCharacters: 1000, hostCalls: 0 },
    examples: example ? [example] : [],
  };
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

function sibling([verb, thing]) {
  return toTool({
    name: `${verb}_${thing}`,
    title: `${capital(verb)} ${thing}`,
    description: `${capital(verb)} the ${thing} of a project.`,
    properties: {
      project: { type: 'string', description: 'Name of the project' },
      filter: { type: 'string', description: 'Words that must occur' },
      limit: { type: 'integer', description: 'At most so many' },
    },
    required: ['project'],
    example: { request: `${capital(verb)} the ${thing} of Apollo`, arguments: { project: 'Apollo' } },
  });
}

const lamp = toTool({
  name: 'lamp',
  title: 'Lamp',
  description: 'Light the lamp for some minutes.',
  properties: { minutes: { type: 'integer', description: 'How long' } },
  required: ['minutes'],
  example: { request: 'Light the lamp for 5 minutes', arguments: { minutes: 5 } },
});

export function ownTools(count) {
  const pairs = things.flatMap((thing) => verbs.map((verb) => [verb, thing]));
  const isWanted = ([verb, thing]) => wanted.some(([v, t]) => v === verb && t === thing);
  const contents = [lamp, ...wanted.map(sibling), ...pairs.filter((pair) => !isWanted(pair)).map(sibling)];
  if (count > contents.length) throw new Error(`There are ${contents.length} tools.`);
  return contents.slice(0, count).map(toRow);
}

/** Returns the row of the database for a tool that was added as the `at`-th. */
export function toRow(content, at) {
  return { id: `bench-${at}`, content, isOn: true, createdAt: at + 1, updatedAt: at + 1, versions: [] };
}
