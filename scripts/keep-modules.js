/**
 * For component tests: lets the browser cache modules, because it would otherwise request some seven hundred from Vite again for every test file.
 * Nothing changes during a run, and the next run uses another browser.
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
