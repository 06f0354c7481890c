import type { Sandbox, SandboxRefusal } from '../../contracts/sandbox';

export function createLazySandbox(): Sandbox {
  let loading: Promise<Sandbox> | undefined;
  const load = (): Promise<Sandbox | undefined> => {
    loading ??= import('./sandbox').then(({ createSandbox }) => createSandbox());
    return loading.catch(() => (loading = undefined));
  };
  const message = 'The sandbox could not be loaded. Reload the page, and try again';
  const notLoaded: SandboxRefusal = { ok: false, failure: 'PROTOCOL', message };

  return {
    async run(run, signal) {
      const sandbox = await load();
      return sandbox ? sandbox.run(run, signal) : { ...notLoaded, logs: [], ms: 0 };
    },
    async check(code, signal) {
      const sandbox = await load();
      return sandbox ? sandbox.check(code, signal) : notLoaded;
    },
  };
}
