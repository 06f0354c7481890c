/**
 * For tests of components: the browser keeps a module once it has it, where Vite would be asked for each of some seven hundred again
 * with every file of tests. Nothing changes while a run lasts, and the next run is another browser.
 */
/** @returns {import('vite').Plugin} */
export function keepModules() {
  return {
    name: 'keep-modules',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const setHeader = response.setHeader.bind(response);
        response.setHeader = (name, value) =>
          setHeader(
            name,
            name === 'Cache-Control' && value === 'no-cache' ? 'max-age=31536000,immutable' : value,
          );
        next();
      });
    },
  };
}
