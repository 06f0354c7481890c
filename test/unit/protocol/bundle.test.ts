import { runInNewContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

test(
  'the reply parser runs in plain JavaScript, without any package, DOM or Node API',
  { timeout: 60_000 },
  async () => {
    const built = await build({
      configFile: false,
      publicDir: false,
      logLevel: 'error',
      build: {
        write: false,
        target: 'es2023',
        lib: {
          entry: 'src/protocol/reader.ts',
          formats: ['iife'],
          name: 'hearth',
          fileName: () => 'reader.js',
        },
      },
    });
    const [{ output }] = built as [Rolldown.RolldownOutput];
    const [{ code, imports, modules }] = output;
    expect(imports).toEqual([]);
    for (const path of Object.keys(modules)) expect(path).toMatch(/\/src\/(protocol|text|contracts)\//);

    // A context with nothing but JavaScript itself.
    const reply = '<tool_call>{"name": "clock", "arguments": {}}</tool_call>';
    const tool = { name: 'clock', title: '', description: '', inputSchema: {} };
    const script = `${code}; JSON.stringify(hearth.readReply(${JSON.stringify(reply)}, [${JSON.stringify(tool)}]))`;
    expect(runInNewContext(script)).toContain('"type":"tool-call"');
  },
);
