// `npm run build`: tsup writes JavaScript, `tsc -b` declarations (decision 217).
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'tsup';

/**
 * Files that a command runs or a bundler bundles. Files of worker threads are found in the sources, in calls of
 * `workerUrl`.
 */
const PROGRAMS = { 'map-view': ['browser/main'], server: ['start'], 'stac-cli': ['main'] };

/** Packages that are copied into the build. */
const BUNDLED = [/^@turf\//];

/**
 * Entries of a package. All files are in one folder, so that `new URL('./a-worker.js', import.meta.url)` is correct in
 * every chunk.
 */
function entriesOf(folder, { exports }) {
  const exported = Object.values(exports).map((each) => [
    each.default.replace(/^\.\/dist\/|\.js$/g, ''),
    each['@headwater/source'],
  ]);
  const programs = (PROGRAMS[basename(folder)] ?? []).map((name) => [name, `src/${name}.ts`]);
  const workers = globSync('src/**/*.ts', { cwd: folder, exclude: ['**/*.{test,fixture}.ts', 'src/bench/**'] }).flatMap(
    (file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/\bworkerUrl\(\s*'([^']+)'/g)].map(([, name]) => [
        basename(name),
        join(file, '..', `${name}.ts`),
      ]),
  );
  return Object.fromEntries(
    [...exported, ...programs, ...workers].map(([name, source]) => [name, join(folder, source)]),
  );
}

const packages = globSync('packages/*/package.json')
  .map((path) => ({ folder: join(path, '..'), manifest: JSON.parse(readFileSync(path, 'utf8')) }))
  .filter(({ manifest }) => manifest.private !== true);

export default defineConfig(
  packages.map(({ folder, manifest }) => ({
    name: manifest.name,
    entry: entriesOf(folder, manifest),
    outDir: join(folder, 'dist'),
    // Old chunks are removed, because their names contain a hash. Files of `tsc -b` stay.
    clean: ['!**/*.d.ts', '!**/*.d.ts.map'],
    format: 'esm',
    platform: 'node',
    target: /[\d.]+/.exec(manifest.engines.node)?.[0].replace(/^/, 'node'),
    splitting: true,
    sourcemap: true,
    // Source maps omit the sources, because the tarball contains the sources too.
    esbuildOptions: (options) => void (options.sourcesContent = false),
    skipNodeModulesBundle: true,
    noExternal: BUNDLED,
    removeNodeProtocol: false,
    silent: true,
  })),
);
