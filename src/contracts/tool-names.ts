/** Whose tool a name belongs to. */

/** Tools that read attached files. */
export const readAttachmentToolName = 'read_attachment';
export const queryTableToolName = 'query_table';

/** The tool that reads more of a cut result. */
export const readResultToolName = 'read_result';

/** The tool that finds notes. */
export const recallToolName = 'recall';

/** The tool with which the page reads what the user attached from a server. Models never see it. */
export const resourceToolName = 'read_resource';

/** The tool that finds tools. */
export const findToolsName = 'find_tools';

/** Names of Hearth's own tools. A server's tool, a custom tool and a persona never have one, so these names are enough to trust a call. */
export const ownToolNames: ReadonlySet<string> = new Set([
  'calculator',
  'clock',
  'fetch_page',
  'remember',
  'run_javascript',
  'weather',
  'web_search',
  findToolsName,
  queryTableToolName,
  readAttachmentToolName,
  readResultToolName,
  recallToolName,
  resourceToolName,
]);

/** Names with another meaning for models or in tool-call formats, and the names of Hearth's tools. New tools cannot have them. */
export const reservedToolNames: ReadonlySet<string> = new Set([
  ...ownToolNames,
  ...`
tool tools function functions arguments parameters name result system user assistant final commentary analysis
python none null true false constructor prototype hasownproperty tostring valueof load_tool
`
    .trim()
    .split(/\s+/),
]);

/** Returns another name for a tool that was stored before its name became one of Hearth's. */
export function toForeignToolName(name: string, owner: 'server' | 'my' | 'ask'): string {
  return ownToolNames.has(name) ? `${owner}_${name}` : name;
}
