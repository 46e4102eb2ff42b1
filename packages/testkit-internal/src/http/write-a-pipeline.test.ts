import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import { expect, it } from 'vitest';
import { realPixels } from './fixture/real-pixels.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const FOLDERS = ['packages/testkit-internal/src/pipelines', 'packages/testkit-internal/src/http/suite'];
/** The formatter may change white space in copied code. */
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
  const allowed = /^(@headwater\/(core|stac|layer-kit|raster)(\/(pixel-plan|places))?|zod|\.\/[a-z-]+\.ts)$/;
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from ?? '');
    expect([name, imports.filter((from) => !allowed.test(from))]).toEqual([name, []]);
  }
});

it('the example of a block for whole planes computes the most frequent class, and polygons of equal classes', async () => {
  const { compute, remove } = await realPixels();
  const { pixels } = compute;
  const context = { signal: new AbortController().signal, progress: () => undefined };
  const grid = { crs: 'EPSG:4326', west: 75, north: 24, pixelWidth: 0.5, pixelHeight: 0.5, cols: 3, rows: 1 };
  try {
    const years = { first: [1, 2, 0], second: [1, 3, 0], third: [4, 3, 0] };
    const inputs: Record<string, ScratchRaster> = {};
    for (const [name, values] of Object.entries(years))
      inputs[name] = await pixels.fromValues({ grid, values: Uint8Array.from(values) });
    const module = new URL('../pipelines/usual-class-blocks.ts', import.meta.url).href;
    const block = { module, export: 'usualClassBlock', params: {} };
    const outputs = [{ name: 'usual', type: 'uint8' }] as const;
    const { value } = await pixels.whole({ kind: 'whole', grid, inputs, block, outputs }, context);
    const square = (code: number, [west, east]: readonly [number, number]) => {
      const ring = [
        [east, 23.5],
        [east, 24],
        [west, 24],
        [west, 23.5],
        [east, 23.5],
      ];
      const geometry = { type: 'MultiPolygon', coordinates: [[ring]] };
      return { type: 'Feature', properties: { class: code }, geometry };
    };
    expect(value).toEqual([square(1, [75, 75.5]), square(3, [75.5, 76])]);
  } finally {
    await pixels.close();
    await remove();
  }
});
