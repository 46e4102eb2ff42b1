import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
/** Folders to which paths in a page may be relative. */
const BASES = ['', 'packages', 'packages/http-service/src', 'packages/http-service/src/wire'];

/** Paths in backticks and links that contain a slash and have an extension or end in a slash; `NNN` is any number. */
function pathsIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`([\w@.-]+(?:\/[\w@.-]+)*\/?)`/g)]
    .map(([, path]) => path ?? '')
    .filter((path) => !path.includes('NNN'));
  const linked = [...text.matchAll(/\]\(([\w./-]+)\)/g)].map(([, path]) => path ?? '');
  return [
    ...quoted.filter((path) =>
      /\/.*\.(ts|mjs|md|json)$|^(packages|examples|scripts|decisions|docs|[a-z-]+\/src)\/.*\/$/.test(path),
    ),
    ...linked,
  ];
}

describe.each([
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  'bench/README.md',
  ...globSync('packages/*/README.md', { cwd: root }),
])('%s', (page) => {
  const paths = pathsIn(readFileSync(join(root, page), 'utf8'));
  it('names only paths that exist', () => {
    const bases = [...BASES, join(page, '..')];
    expect(paths.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))).toEqual([]);
  });
});

it('finds paths in the pages', () => {
  expect(pathsIn(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')).length).toBeGreaterThan(20);
});
