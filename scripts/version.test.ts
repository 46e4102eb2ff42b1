import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

it('every package has the newest version in VERSION, and requires the other packages in that version', () => {
  const [version = ''] = read('VERSION').split(/\s/, 1);
  const paths = ['package.json', ...globSync('{packages,examples}/*/package.json', { cwd: ROOT })];
  expect(paths.length).toBeGreaterThan(15);
  const lock = JSON.parse(read('package-lock.json')).packages;
  const other = paths.flatMap((path) => {
    const own = JSON.parse(read(path));
    const locked = lock[path.replace(/\/?package\.json$/, '')];
    const members = [own, own.dependencies, own.devDependencies, own.peerDependencies].map((each = {}) =>
      Object.entries(each).filter(([name]) => name === 'version' || name.startsWith('@headwater/')),
    );
    const named = [...members.flat(), ['lock', locked.version]];
    return named
      .filter(([name, text]) => text !== (name?.startsWith('@') ? `^${version}` : version))
      .map(([name, text]) => `${path}: ${name} ${text}`);
  });
  expect(other).toEqual([]);
});

it('the newest entry of VERSION says whether an upgrade ends sessions', () => {
  const [newest = ''] = read('VERSION').split(/^(?=\d+\.\d+\.\d+ )/m);
  const migration = newest.split(/^- /m).filter((line) => line.startsWith('Migration: '));
  expect(migration.join('')).toMatch(/sessions (of \S+ )?(end|stay)/);
});
