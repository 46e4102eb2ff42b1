// `node scripts/exported-names.mjs`: prints the number of exported names of each entry and package.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

const SOURCE = '@headwater/source';

const byText = (one, other) => (one < other ? -1 : 1);

/** Returns `[{ name, entry, names }]` for each TypeScript entry below `root`/packages. Throws for a missing file. */
export function exportedNames(root) {
  const read = reader(join(root, 'packages'));
  return packagesOf(join(root, 'packages')).flatMap(({ name, folder, entries }) =>
    entries.map(([entry, file]) => ({ name, entry, names: [...read(join(folder, file))].sort(byText) })),
  );
}

/** Distinct names by package: `[{ name, names }]`. */
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

function reader(packages) {
  const namesOfFile = new Map();
  const read = (file) => {
    const found = namesOfFile.get(file);
    if (found !== undefined) return found;
    const names = new Set();
    namesOfFile.set(file, names);
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
    throw new Error(`${file}: re-exports all of ${specifier}; list the names instead`);
  return join(owner.folder, entry[1]);
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  const rows = exportedNames(root).map(({ name, entry, names }) => ({ package: name, entry, names: names.length }));
  console.table(rows);
  console.table(namesByPackage(root).map(({ name, names }) => ({ package: name, names: names.length })));
}
