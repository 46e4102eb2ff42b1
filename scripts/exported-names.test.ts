import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportedNames, namesByPackage } from './exported-names.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'exported-names-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const packageOf = (name: string, entries: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    name: `@headwater/${name}`,
    exports: Object.fromEntries(
      Object.entries(entries).map(([entry, file]) => [entry, { '@headwater/source': file, default: './dist/x.js' }]),
    ),
  });

it('exportedNames lists each value and type of an entry once, for every kind of re-export', () => {
  put({
    'packages/a/package.json': packageOf('a', { '.': './src/index.ts', './deep': './src/deep.ts' }),
    'packages/a/src/index.ts': [
      "export * from './deep.ts';",
      "export type * from './types.ts';",
      "export { one as uno, type Two } from './deep.ts';",
      "export * from '@headwater/b';",
      'export const three = 3, four = 4;',
      'export class Five {}',
    ].join('\n'),
    'packages/a/src/deep.ts':
      'export const one = 1;\nexport interface Two {}\nconst hidden = 0;\nexport default hidden;',
    'packages/a/src/types.ts': "export type Six = 6;\nexport * from './deep.ts';",
    'packages/b/package.json': packageOf('b', { '.': './src/index.ts', './text': './src/text.css' }),
    'packages/b/src/index.ts': 'export function seven() {}\nexport enum Eight {}',
  });
  expect(exportedNames(root)).toEqual([
    {
      name: '@headwater/a',
      entry: '.',
      names: ['Eight', 'Five', 'Six', 'Two', 'four', 'one', 'seven', 'three', 'uno'],
    },
    { name: '@headwater/a', entry: './deep', names: ['Two', 'one'] },
    { name: '@headwater/b', entry: '.', names: ['Eight', 'seven'] },
  ]);
  expect(namesByPackage(root).map(({ names }) => names.length)).toEqual([9, 2]);
});

it('exportedNames throws if a file re-exports all names of a package outside of the tree', () => {
  put({
    'packages/a/package.json': packageOf('a', { '.': './src/index.ts' }),
    'packages/a/src/index.ts': "export * from 'zod';",
  });
  expect(() => exportedNames(root)).toThrow('re-exports all of zod');
});
