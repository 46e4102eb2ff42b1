import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { importBlock } from './block-function.ts';

const module = new URL('./block-function.ts', import.meta.url).href;

it('importBlock imports a function by the address of its file', async () => {
  expect(await importBlock({ module, export: 'importBlock', params: {} })).toBe(importBlock);
});

it('importBlock imports the JavaScript file that tsc has written, although the address names the TypeScript file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-block-'));
  try {
    await writeFile(join(folder, 'blocks.js'), 'export const half = () => 0.5;');
    const address = pathToFileURL(join(folder, 'blocks.ts')).href;
    const half = await importBlock<() => number>({ module: address, export: 'half', params: {} });
    expect(half()).toBe(0.5);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('importBlock throws an error that names a missing export', async () => {
  await expect(importBlock({ module, export: 'absent', params: {} })).rejects.toThrow(
    `module ${module} exports no function absent`,
  );
});
