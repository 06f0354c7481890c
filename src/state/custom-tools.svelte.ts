import type {
  CustomTool,
  CustomToolContent,
  CustomToolList,
  DefinitionProblem,
  ToolFileResult,
} from '../contracts/custom-tool';
import type { Origin } from '../contracts/origin';
import type { SandboxResult } from '../contracts/sandbox';
import type { CustomToolStore } from '../contracts/store';

export interface ToolTrial {
  toolId: string;
  content: CustomToolContent;
  input: Record<string, unknown>;
}

/** `src/app` implements these functions. They reject with an `AppError` if the store fails. */
export interface CustomToolFunctions extends Omit<CustomToolStore, 'watch' | 'secretOf'> {
  /** Saves a tool. If its code or access has changed, revokes its permissions. */
  save: (tool: CustomTool) => Promise<void>;
  check: (toolId: string, content: CustomToolContent, signal: AbortSignal) => Promise<DefinitionProblem[]>;
  /** Runs the tool in the editor, even if it is not saved. Never rejects. */
  run: (
    run: ToolTrial,
    options: { signal: AbortSignal; onLog: (line: string) => void },
  ) => Promise<SandboxResult>;
  readFile: (file: Blob) => Promise<ToolFileResult>;
  writeFile: (content: CustomToolContent) => Promise<string>;
  gallery: () => Promise<readonly CustomToolContent[]>;
  newId: () => string;
  date: () => number;
}

export class CustomTools {
  list = $state.raw<CustomToolList>({ tools: [], damaged: [] });
  readonly functions: CustomToolFunctions;

  constructor(functions: CustomToolFunctions) {
    this.functions = functions;
  }

  /** `origin`: where it came from, if from a file. */
  async add(content: CustomToolContent, isOn: boolean, origin?: Origin): Promise<CustomTool> {
    const { newId, date, save } = this.functions;
    const at = date();
    const tool = { id: newId(), content, origin, isOn, createdAt: at, updatedAt: at, versions: [] };
    await save(tool);
    return tool;
  }

  /** Checks a tool that is not saved yet. If its name is taken, returns its content with another name. */
  async inspect(content: CustomToolContent, signal: AbortSignal) {
    const problems = await this.functions.check('', content, signal);
    const others = problems.filter(({ code }) => code !== 'name-taken');
    if (others.length === problems.length) return { content, problems };
    const { tools } = await this.functions.list();
    const taken = tools.map((tool) => tool.content.name);
    let count = 2;
    while (taken.includes(`${content.name}_${count}`)) count++;
    return { content: { ...content, name: `${content.name}_${count}` }, problems: others };
  }

  async setOn(tool: CustomTool, isOn: boolean): Promise<void> {
    await this.functions.save({ ...tool, isOn });
  }
}
