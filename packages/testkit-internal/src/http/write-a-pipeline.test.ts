import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../../..');
const FOLDERS = ['packages/testkit-internal/src/pipelines', 'packages/testkit-internal/src/http/suite'];
/** Replaces line breaks and indentation by single blanks, because the formatter changes them. */
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => flat(readFileSync(join(ROOT, folder, name), 'utf8'))),
);
const guide = readFileSync(join(ROOT, 'docs/write-a-pipeline.md'), 'utf8');
const blocks = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

it('every code block of the guide is part of a pipeline that the suites run', () => {
  expect(blocks.length).toBeGreaterThan(8);
  for (const code of blocks)
    expect([code, sources.some((source) => source.includes(flat(code)))]).toEqual([code, true]);
});

it('the example pipelines import only public exports and other example pipelines', () => {
  const folder = join(ROOT, 'packages/testkit-internal/src/pipelines');
  const allowed = /^(@headwater\/(core|stac|layer-kit)(\/(pixel-plan|places))?|zod|\.\/[a-z-]+\.ts)$/;
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from ?? '');
    expect([name, imports.filter((from) => !allowed.test(from))]).toEqual([name, []]);
  }
});
