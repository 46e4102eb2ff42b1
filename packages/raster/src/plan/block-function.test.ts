import { expect, it } from 'vitest';
import { importBlock } from './block-function.ts';

const module = new URL('./block-function.ts', import.meta.url).href;

it('imports a block function by the address of its file, wherever this package is installed', async () => {
  expect(await importBlock({ module, export: 'importBlock', params: {} })).toBe(importBlock);
});

it('throws an error that names a missing export', async () => {
  await expect(importBlock({ module, export: 'absent', params: {} })).rejects.toThrow(
    `module ${module} exports no function absent`,
  );
});
