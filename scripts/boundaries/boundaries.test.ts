import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findFaults } from './find-faults.mjs';

const root = resolve(import.meta.dirname, '../..');

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

async function tree(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-arrows-'));
  folders.push(folder);
  for (const [name, body] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), body);
  }
  return folder;
}

describe('boundaries', () => {
  it('finds no fault in the workspace', () => {
    const { faults, files } = findFaults(root);
    expect(files).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  });

  it.each([
    ['packages/stac/src/a.ts', "import { x } from '@headwater/core';", /stac may not import @headwater\/core/],
    ['packages/core/src/a.ts', "import { readFile } from 'node:fs/promises';", /core is pure/],
    ['packages/core/src/a.ts', "import fastify from 'fastify';", /core is pure/],
    ['packages/land-cover/src/a.ts', "const fs = require('node:fs');", /may not use require/],
    ['packages/raster/src/a.ts', "export const x = process['env'];", /reads process.env/],
    ['packages/novel/package.json', '{}', /novel is unknown/],
    ['packages/raster/src/a.ts', "export * from '@headwater/http-service';", /raster may not import/],
    ['packages/orchestrator-client/src/a.ts', "import { x } from '@headwater/net';", /pure and may import only retry/],
    ['packages/ingest/src/a.ts', "import { x } from '@headwater/raster';", /ingest may not import/],
    ['packages/raster/src/a.ts', "import { x } from '@headwater/land-cover';", /raster may not import/],
    ['packages/raster/src/a.ts', 'export const x = process.env.HOME;', /reads process.env/],
    ['packages/core/src/a.ts', 'export const x = import.meta.url;', /may not use import.meta/],
    ['packages/core/src/a.ts', "const x = await import('../../raster/src/index.ts');", /reaches outside its package/],
    ['packages/novel/src/a.ts', 'export const x = 1;', /novel is unknown/],
    [
      'packages/server/src/config/storage.ts',
      "import { x } from '@headwater/testkit';\nexport const FIELDS = {\n  DATA_DIR: x,\n};",
      /server may not import/,
    ],
    ['packages/core/src/a.ts', 'export const x = "/api/v1/runs/";', /contains "\/api\/v1"/],
    ['packages/http-service/src/a.ts', 'export const x = "/api/v1/runs/";', /contains "\/api\/v1"/],
    ['packages/land-cover/src/a.ts', 'export const x = "This field is required.";', /contains "This field"/],
    [
      'packages/orchestrator-client/src/a.ts',
      "import { createServer } from 'node:http';",
      /orchestrator-client is pure/,
    ],
    [
      'packages/orchestrator-client/src/a.ts',
      "import { fake } from './testing/index.ts';",
      /may not import test helpers/,
    ],
    [
      'packages/http-adapter-express/src/a.ts',
      "import { x } from '@headwater/http-service/src/seam.ts';",
      /only the public entry/,
    ],
  ])('reports %s: %s', async (file, body, message) => {
    const { faults } = findFaults(await tree({ [file]: body }));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });

  it('reports the name of an environment variable outside of the server package', async () => {
    const { faults } = findFaults(
      await tree({
        'packages/server/src/config/storage.ts': 'export const FIELDS = {\n  DATA_DIR: folder,\n};',
        'packages/postgres/src/a.ts': 'export const hint = "look into DATA_DIR";',
      }),
    );
    expect(faults).toEqual([expect.stringMatching(/postgres.*names DATA_DIR/)]);
  });

  it('reports circular imports between files and between folders, type imports included', async () => {
    const files = {
      'packages/core/src/a/one.ts': "import type { Two } from '../b/two.ts';\nexport type One = Two;",
      'packages/core/src/b/two.ts': 'export type Two = 1;',
      'packages/core/src/b/three.ts': "import { four } from '../a/four.ts';\nexport const three = four;",
      'packages/core/src/a/four.ts': 'export const four = 4;',
    };
    expect(findFaults(await tree(files)).faults).toEqual([expect.stringMatching(/src\/a <-> .*src\/b: folders/)]);
    const { 'packages/core/src/b/three.ts': _, ...straight } = files;
    expect(findFaults(await tree(straight)).faults).toEqual([]);
    const circle = { ...straight, 'packages/core/src/b/two.ts': "export type { One as Two } from '../a/one.ts';" };
    expect(findFaults(await tree(circle)).faults.join()).toMatch(/one.ts <-> .*two.ts: files/);
  });
});
