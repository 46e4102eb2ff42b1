// node scripts/exported-names.mjs: prints how many names (values and types) each entry of each package exports, and each package in all.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

const SOURCE = '@headwater/source';

const byText = (one, other) => (one < other ? -1 : 1);

/**
 * `[{ name, entry, names }]`: every entry of the packages below `root`/packages that has a TypeScript source, with its exported names sorted.
 * Throws if a file is not there, or re-exports all names of something that is no package of the tree.
 */
export function exportedNames(root) {
  const read = reader(join(root, 'packages'));
  return packagesOf(join(root, 'packages')).flatMap(({ name, folder, entries }) =>
    entries.map(([entry, file]) => ({ name, entry, names: [...read(join(folder, file))].sort(byText) })),
  );
}

/** Distinct names of all entries of each package: `[{ name, names }]`. */
export function namesByPackage(root) {
  const byPackage = Map.groupBy(exportedNames(root), ({ name }) => name);
  return [...byPackage].map(([name, entries]) => ({
    name,
    names: [...new Set(entries.flatMap((each) => each.names))].sort(byText),
  }));
}

function packagesOf(packages) {
  return readdirSync(packages)
    .map((folder) => join(packages, folder))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const sources = Object.entries(exports).map(([entry, target]) => [entry, target?.[SOURCE]]);
      return { name, folder, entries: sources.filter(([, file]) => file?.endsWith('.ts')) };
    });
}

/** Reads the exported names of a file, with those of the files that it re-exports; each file once. */
function reader(packages) {
  const known = new Map();
  const read = (file) => {
    const found = known.get(file);
    if (found !== undefined) return found;
    const names = new Set();
    known.set(file, names);
    for (const { entries } of parseSync(file, readFileSync(file, 'utf8')).module.staticExports) {
      for (const { exportName, moduleRequest } of entries) {
        /** @type {string} */
        const kind = exportName.kind;
        if (kind === 'Name') names.add(exportName.name);
        else if (kind === 'Default') names.add('default');
        else for (const name of read(fileOf(packages, file, moduleRequest.value))) names.add(name);
      }
    }
    names.delete('default');
    return names;
  };
  return read;
}

function fileOf(packages, file, specifier) {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  const [, folder, ...deep] = specifier.split('/');
  const owner = packagesOf(packages).find((each) => each.name === `@headwater/${folder}`);
  const entry = owner?.entries.find(([name]) => name === ['.', ...deep].join('/'));
  if (owner === undefined || entry === undefined)
    throw new Error(`${file}: re-exports all of ${specifier}: name what it exports`);
  return join(owner.folder, entry[1]);
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  const rows = exportedNames(root).map(({ name, entry, names }) => ({ package: name, entry, names: names.length }));
  console.table(rows);
  console.table(namesByPackage(root).map(({ name, names }) => ({ package: name, names: names.length })));
}
