import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
/** Folders to which paths in a page may be relative. */
const BASES = ['', 'packages', 'packages/http-service/src', 'packages/http-service/src/wire'];

/**
 * Paths in links, and paths in backticks, which have a slash, and an extension or a slash at the end. Paths with `NNN`
 * are left out, because they stand for any number.
 */
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
  'decisions/README.md',
  ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/site/{node_modules,dist,.pages}'] }),
  ...globSync('packages/*/README.md', { cwd: root }),
])('%s', (page) => {
  const paths = pathsIn(readFileSync(join(root, page), 'utf8'));
  it('the page names only paths that exist', () => {
    const bases = [...BASES, join(page, '..')];
    expect(paths.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))).toEqual([]);
  });
});

it('the index of decisions contains each record', () => {
  const index = readFileSync(join(root, 'decisions/README.md'), 'utf8');
  const records = globSync('[0-9]*.md', { cwd: join(root, 'decisions') });
  expect(records.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

it('docs/not-yet.md names no route that exists', () => {
  const missing = readFileSync(join(root, 'docs/not-yet.md'), 'utf8').matchAll(/`(\w+\/)`/g);
  const routes = [...missing].map(([, route]) => route ?? '');
  const { paths } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as { paths: object };
  const existing = new Set(Object.keys(paths).map((path) => path.replace('/api/v1/', '')));
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => existing.has(route))).toEqual([]);
});

it('the test finds paths in the pages', () => {
  expect(pathsIn(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')).length).toBeGreaterThan(20);
});
