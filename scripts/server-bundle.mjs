// The server as a bundle of three files, for tests that start the server as a process. The bundle is created once for
// the current sources. The bundle behaves like the sources, but loads in 0.7 s of processor time instead of 2.1 s.
// Threads and child processes of the server still load the sources.
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { preparedFolder } from './prepared-folder.mjs';

const START = resolve(import.meta.dirname, '..', 'packages', 'server', 'src', 'start.ts');

/** Path of the bundle that replaces `start.ts`. */
export const serverBundle = async () =>
  join(await preparedFolder('headwater-server', import.meta.filename, ['server']), 'start.js');

/**
 * Writes the bundle with rolldown, which is a dependency of vitest. Every module keeps the `import.meta.url` and
 * `import.meta.dirname` of its source.
 */
export async function fill(dir) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: { start: START },
    platform: 'node',
    resolve: { conditionNames: ['@headwater/source', 'node', 'import', 'default'] },
    // Packages that are not bundled: CommonJS packages that load files of their package by path, binaries, and packages that only
    // threads load.
    external: [/^@electric-sql\//, /^pg-/, /^fastify/, /^pino/, /^esbuild$/, /^@napi-rs\//],
    plugins: [{ name: 'addresses', transform: { filter: { code: /import\.meta\./ }, handler: ownAddress } }],
  });
  await bundle.write({ dir, format: 'esm', keepNames: true });
}

const ownAddress = (code, id) =>
  id.includes('node_modules')
    ? undefined
    : code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
