/** The functions of custom tools with the real checks, the real sandbox and a store in memory. */
import checkToolWorkerUrl from '../../workers/check-tool.worker?worker&url';
import type { EgressResponse } from '../../src/contracts/egress';
import type { CustomToolFunctions } from '../../src/state/custom-tools.svelte';
import type { CustomToolStore } from '../../src/contracts/store';
import { galleryTools } from '../../src/tools/custom/gallery/registry';
import { writeToolFile } from '../../src/tools/custom/tool-file';
import { startWorker } from '../../src/platform/start-worker';
import { createWorkbench } from '../../src/tools/custom/workbench';
import { createLazySandbox } from '../../src/tools/sandbox/lazy-sandbox';

/** Component tests have no network. */
const egress = { send: () => Promise.reject<EgressResponse>(new Error('no network here')) };

export function customToolFunctions(store: CustomToolStore): CustomToolFunctions {
  const workbench = createWorkbench({
    sandbox: createLazySandbox(),
    egress,
    secretOf: store.secretOf,
    limits: { take: () => 0 },
    startChecker: () => startWorker(checkToolWorkerUrl),
  });
  return {
    ...store,
    save: (tool) => store.save(tool),
    async check(toolId, content, signal) {
      const { tools } = await store.list();
      const others = tools.filter(({ id }) => id !== toolId).map((tool) => tool.content.name);
      return workbench.check(content, ['calculator', ...others], signal);
    },
    run: ({ toolId, content, input }, options) => workbench.run(toolId, content, input, options),
    readFile: workbench.readFile,
    writeFile: async (content) => writeToolFile(content),
    gallery: async () => galleryTools,
    newId: () => crypto.randomUUID(),
    date: Date.now,
  };
}
