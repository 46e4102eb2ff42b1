import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DomainStores } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeGeopackage } from '../import/geopackage/write-geopackage.fixture.ts';
import { NO_USERS } from '../import/boundaries/import-files.fixture.ts';
import { createImporters } from '../import/importers.ts';
import { BOUNDARY_LAYERS } from './boundary-package.fixture.ts';
import { importBoundaries } from './import-boundaries.ts';

let folder: string;
let stores: DomainStores;
let notices: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-boundaries-'));
  stores = createMemoryDomainStores();
  notices = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const path = (): string => join(folder, 'boundaries.gpkg');
const read = (fileName: string, file = path(), signal = new AbortController().signal) =>
  importBoundaries(
    { path: file, fileName },
    {
      importers: createImporters({ stores: { ...stores, users: NO_USERS }, scratchDir: join(folder, 'scratch') }),
      signal,
      progress: () => {},
      notice: (message) => notices.push(message),
    },
  );
const counts = async (fileName: string) =>
  (await read(fileName)).map(({ kind, stored, unchanged, refusedCount }) => [kind, stored, unchanged, refusedCount]);

it('finds the kind of a layer by its name, stores tehsils first, and stores nothing in a second import', async () => {
  writeGeopackage(path(), BOUNDARY_LAYERS);
  expect(await counts('india.gpkg')).toEqual([
    ['places', 1, 0, 0],
    ['mws', 2, 0, 0],
    ['villages', 1, 0, 0],
  ]);
  expect(notices).toEqual(['india.gpkg: layers left out, because their names are not those of boundaries: rivers']);
  expect(await stores.places.states()).toMatchObject([{ name: 'Telangana' }]);
  expect(await counts('india.gpkg')).toEqual([
    ['places', 0, 1, 0],
    ['mws', 0, 2, 0],
    ['villages', 0, 1, 0],
  ]);
});

it('finds the kind of a single layer by the name of the layer, otherwise by the name of the file', async () => {
  writeGeopackage(path(), { tehsils: BOUNDARY_LAYERS['tehsils'] ?? [] });
  expect(await counts('any.gpkg')).toEqual([['places', 1, 0, 0]]);
  await rm(path());
  writeGeopackage(path(), { layer1: BOUNDARY_LAYERS['mws'] ?? [] });
  expect(await counts('MWS.gpkg')).toEqual([['mws', 2, 0, 0]]);
});

it('refuses a file without a known name, because micro-watersheds must not become tehsils; the message lists the known names', async () => {
  writeGeopackage(path(), { layer1: BOUNDARY_LAYERS['mws'] ?? [] });
  const refused = (message: RegExp) => ({ code: 'input_data', message: expect.stringMatching(message) });
  await expect(read('any.gpkg')).rejects.toMatchObject(
    refused(
      /^any.gpkg: the kind is not clear from its layers \(layer1\); name the layers places, tehsils, .* for places; mws for mws;/,
    ),
  );
  await writeFile(join(folder, 'boundaries.geojson'), '{}');
  await expect(read('any.geojson', join(folder, 'boundaries.geojson'))).rejects.toMatchObject(
    refused(/^any.geojson: the kind is not clear from its name/),
  );
  expect(await stores.places.states()).toEqual([]);
});

it('refuses a broken file, and stores nothing', async () => {
  await writeFile(path(), 'SQLite format 3\0 and nothing else');
  await expect(read('mws.gpkg')).rejects.toMatchObject({ code: 'validation' });
});
