// Packs the published packages, each after its dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Published packages as `{ folder, manifest }`, each after its dependencies. */
export function publishedPackages() {
  const all = globSync('packages/*/package.json')
    .sort()
    .map((path) => ({ folder: dirname(path), manifest: readJson(path) }))
    .filter(({ manifest }) => manifest.private !== true);
  const sorted = new Set();
  const add = (each) => {
    for (const name of Object.keys(each.manifest.dependencies ?? {})) {
      const needed = all.find(({ manifest }) => manifest.name === name);
      if (needed !== undefined && !sorted.has(needed)) add(needed);
    }
    sorted.add(each);
  };
  all.forEach(add);
  return [...sorted];
}

/** Removes declarations of removed sources, because `tsc -b` keeps them. */
function removeStale(folder) {
  for (const file of globSync('dist/**/*.d.ts{,.map}', { cwd: folder })) {
    const source = file.replace(/^dist/, 'src').replace(/\.d\.ts(\.map)?$/, '.ts');
    if (!existsSync(join(folder, source))) rmSync(join(folder, file));
  }
}

/**
 * Packs the built packages into `out`. Returns `{ folder, manifest, tarball, kb }` of each; `kb` is the unpacked size.
 */
export function packAll(out) {
  const packages = publishedPackages();
  mkdirSync(out, { recursive: true });
  for (const { folder } of packages) removeStale(folder);
  const chosen = packages.flatMap(({ folder }) => ['--workspace', folder]);
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', out, ...chosen], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  const listed = JSON.parse(stdout);
  const byName = new Map(Object.values(listed).map((each) => [each.name, each]));
  return packages.map(({ folder, manifest }) => {
    const { filename, unpackedSize } = byName.get(manifest.name);
    return { folder, manifest, tarball: join(out, filename), kb: Math.ceil(unpackedSize / 1000) };
  });
}
