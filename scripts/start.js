/** `npm start`: builds the app and serves it at http://localhost:4173. */
import process from 'node:process';
import { installPackages, run } from './set-up.js';

installPackages();
run('npx', 'vite', 'build');
const { serveFolder } = await import('./static-server.js');
try {
  const { url } = await serveFolder('dist', { port: 4173 });
  console.log(`\nHearth is at ${url}`);
} catch (error) {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error('Port 4173 is taken: stop what is running there, then try again.');
  process.exit(1);
}
