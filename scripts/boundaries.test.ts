import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFaults } from './boundaries.mjs';

const root = resolve(import.meta.dirname, '..');

async function tree(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'boundaries-'));
  for (const [name, body] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), body);
  }
  return folder;
}

describe('boundaries', () => {
  it('the workspace keeps its arrows', () => {
    const { faults, files } = findFaults(root);
    expect(files).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  });

  it.each([
    ['packages/stac/src/a.ts', "import { x } from '@headwater/core';", /stac may not import @headwater\/core/],
    ['packages/core/src/a.ts', "import { readFile } from 'node:fs/promises';", /core is pure/],
    ['packages/raster/src/a.ts', "export * from '@headwater/http-service';", /raster may not import/],
    ['packages/core/src/a.ts', 'export const x = process.env.HOME;', /reads process.env/],
    ['packages/core/src/a.ts', "const x = await import('../../raster/src/index.ts');", /reaches outside its package/],
    [
      'packages/http-adapter-express/src/a.ts',
      "import { x } from '@headwater/http-service/src/seam.ts';",
      /only the public entry/,
    ],
  ])('%s: %s is seen', async (file, body, message) => {
    const { faults } = findFaults(await tree({ [file]: body }));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });
});
