// The server as a bundle, for tests that start processes: loads in 0.7 s instead of 2.1 s. Its threads and child
// processes load the sources.
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { preparedFolder } from './prepared-folder.mjs';

const START = resolve(import.meta.dirname, '..', 'packages', 'server', 'src', 'start.ts');

/** Path of the bundle that replaces `start.ts`. */
export const serverBundle = async () =>
  join(await preparedFolder('headwater-server', import.meta.filename, ['server']), 'start.js');

/** Writes the bundle with rolldown (of vitest). Modules keep their `import.meta.url` and `import.meta.dirname`. */
export async function fill(dir) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: { start: START },
    platform: 'node',
    resolve: { conditionNames: ['@headwater/source', 'node', 'import', 'default'] },
    // Not bundled: packages that load own files, binaries, and packages of threads only.
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
