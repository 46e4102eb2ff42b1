import { createRunSignals } from '@headwater/core/runs';
import { type Logger, type PublishedTable, SILENT } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createManualTime, type ManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '@headwater/identity/memory';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, expect, it, vi } from 'vitest';
import { createKylDownloads } from './kyl-downloads.ts';
import { createPlaceFiles, type PlaceFiles } from './place-files.ts';
import type { ExportFolder } from './write-place-files.ts';

const FOLDER = 'data/stats_excel_files/WEST_STATE/THE_DISTRICT';
const NAME = `${FOLDER}/the_district_a_tehsil`;
const FILES = [`${NAME}.xlsx`, `${NAME}_KYL_filter_data.json`, `${FOLDER}/.the_district_a_tehsil.version`];

function memoryFolder() {
  const files = new Map<string, Uint8Array>();
  const state: { written: string[]; reads: number; fails: boolean } = { written: [], reads: 0, fails: false };
  const folder: ExportFolder = {
    has: async (path) => files.has(path.join('/')),
    read: async (path) => {
      state.reads += 1;
      const bytes = files.get(path.join('/'));
      return bytes && new TextDecoder().decode(bytes);
    },
    write: async (path, content) => {
      const bytes = new Uint8Array(await new Response(content).arrayBuffer());
      if (state.fails) throw new Error('EXCEL_PATH: no space; free some.');
      files.set(path.join('/'), bytes);
      state.written.push(path.join('/'));
    },
  };
  return { files, state, folder };
}

let open: PlaceFiles[] = [];
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
});

async function world() {
  const time = createManualTime();
  const stores = createMemoryStores();
  const names = { state: 'West State', district: 'The (District)', tehsil: 'A Tehsil' };
  const square = {
    type: 'Polygon' as const,
    coordinates: [
      [
        [85, 24],
        [86, 24],
        [86, 25],
        [85, 24],
      ],
    ],
  };
  const saveMws = async (...uids: readonly string[]) =>
    await stores.places.saveBundle({
      ...names,
      geometry: null,
      mws: uids.map((uid) => ({ uid, geometry: square })),
      villages: [],
    });
  const { tehsil } = await saveMws('12_1');
  const memory = memoryFolder();
  const process = (logger: Logger = SILENT) => {
    const signals = createRunSignals();
    const kyl = createKylDownloads(stores);
    const files = createPlaceFiles({ stores, kyl, folder: memory.folder, signals, version: '1', logger, timers: time });
    open.push(files);
    return { files, signals };
  };
  return { time, stores, tehsilId: tehsil.id, saveMws, process, ...memory };
}

async function publish(
  stores: Stores,
  id: string,
  {
    tehsilId,
    cluster,
    hasItem = true,
    others = [],
  }: {
    readonly tehsilId: number;
    readonly cluster: number;
    readonly hasItem?: boolean;
    readonly others?: readonly number[];
  },
): Promise<void> {
  const table: PublishedTable = {
    name: 'terrain',
    tehsilId,
    key: 'uid',
    columns: [
      { name: 'uid', type: 'text', description: 'Micro-watershed' },
      { name: 'terrain_cluster_id', type: 'integer', description: 'Cluster' },
    ],
    rows: [{ uid: '12_1', terrain_cluster_id: cluster }],
  };
  await stores.runs.enqueue({ id, pipeline: 'p', params: {}, fingerprint: id, ownerId: 1 });
  const run = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 1 });
  const item = {
    id: 'terrain',
    collectionPath: 'west_state/the_district/a_tehsil',
    item: { id: 'terrain', properties: {} },
  };
  await stores.runs.publish(id, run?.token ?? 0, {
    items: hasItem ? [item] : [],
    layers: [],
    tables: [table, ...others.map((other) => ({ ...table, tehsilId: other }))],
    timings: {},
  });
}

async function written(time: ManualTime, isDone: () => boolean): Promise<void> {
  await time.advance(2000);
  await vi.waitFor(() => expect(isDone()).toBe(true), { timeout: 30_000, interval: 5 });
}

it('a start writes the files of published tables to their fixed paths; the next start writes nothing', async () => {
  const { stores, tehsilId, time, files, state, process } = await world();
  await publish(stores, 'r1', { tehsilId, cluster: 2 });
  const { files: first } = process();
  first.start();
  await written(time, () => state.written.length === 3);
  expect(state.written).toEqual(FILES);
  const { 'xl/worksheets/sheet1.xml': sheet } = unzipSync(files.get(`${NAME}.xlsx`) ?? new Uint8Array());
  expect(strFromU8(sheet ?? new Uint8Array())).toContain('<c r="B2"><v>2</v></c>');
  expect(JSON.parse(new TextDecoder().decode(files.get(FILES[1] ?? '')))).toMatchObject([
    { mws_id: '12_1', terrainCluster_ID: 2 },
  ]);
  await first.close();
  const { files: second } = process();
  second.start();
  await written(time, () => state.reads === 2);
  await second.close();
  expect(state.written).toHaveLength(3);
});

it('the next update writes a record for a micro-watershed that was added to the place', async () => {
  const { stores, tehsilId, saveMws, time, files, state, process } = await world();
  await publish(stores, 'r1', { tehsilId, cluster: 2 });
  const { files: placeFiles } = process();
  placeFiles.touch(tehsilId);
  await written(time, () => state.written.length === 3);
  await saveMws('12_1', '12_2');
  placeFiles.touch(tehsilId);
  await written(time, () => state.written.length === 6);
  expect(JSON.parse(new TextDecoder().decode(files.get(FILES[1] ?? '')))).toMatchObject([
    { mws_id: '12_1', terrainCluster_ID: 2 },
    { mws_id: '12_2', terrainCluster_ID: '' },
  ]);
});

it('a start writes the files of a place with imported sheets and without an Item', async () => {
  const { stores, tehsilId, time, state, process } = await world();
  await publish(stores, 'r1', { tehsilId, cluster: 2, hasItem: false });
  process().files.start();
  await written(time, () => state.written.length === 3);
  expect(state.written).toEqual(FILES);
});

it('each process follows the publications of all processes; several simultaneous publications cause one write', async () => {
  const { stores, tehsilId, time, state, process } = await world();
  const [own, other] = [process(), process()];
  own.files.start();
  other.files.start();
  await time.advance(2000);
  await publish(stores, 'r1', { tehsilId, cluster: 1 });
  await publish(stores, 'r2', { tehsilId, cluster: 2 });
  for (const { signals } of [own, other]) for (const run of ['r1', 'r2', 'r1']) signals.emit('changed', run);
  await written(time, () => state.written.length === 3);
  expect(state.written).toEqual(FILES);
  await publish(stores, 'r3', { tehsilId, cluster: 3 });
  // A signal without a run means that notifications may have been missed.
  other.signals.emit('changed');
  await written(time, () => state.written.length === 6);
});

it('finds after missed notifications a run that published tables without an Item', async () => {
  const { stores, tehsilId, time, state, process } = await world();
  const { files, signals } = process();
  files.start();
  await time.advance(2000);
  await publish(stores, 'r1', { tehsilId, cluster: 1, hasItem: false });
  signals.emit('changed');
  await written(time, () => state.written.length === 3);
  expect(state.written).toEqual(FILES);
});

it('finds after missed notifications all places that a large import has published', async () => {
  const { stores, tehsilId, time, state, process } = await world();
  const { files, signals } = process();
  await publish(stores, 'r1', { tehsilId: 999, cluster: 1, hasItem: false });
  files.start();
  await time.advance(2000);
  await publish(stores, 'r2', { tehsilId, cluster: 1, hasItem: false });
  for (const from of [1000, 1100, 1200]) {
    const others = Array.from({ length: 100 }, (_each, at) => from + at);
    await publish(stores, `r${from}`, { tehsilId: 999, cluster: 1, hasItem: false, others });
  }
  signals.emit('changed');
  await written(time, () => state.written.length === 3);
  expect(state.written).toEqual(FILES);
});

it('logs a failure with a remedy, and writes the file at the next update', async () => {
  const { stores, tehsilId, time, state, process } = await world();
  await publish(stores, 'r1', { tehsilId, cluster: 1 });
  const logged: string[] = [];
  const { files } = process({ ...SILENT, error: (_fields, message) => void logged.push(message) });
  state.fails = true;
  files.touch(tehsilId);
  await written(time, () => logged.length === 1);
  expect(logged[0]).toMatch(/^warning: .* The next attempt is .* Reason: .*EXCEL_PATH: no space; free some\./);
  state.fails = false;
  files.touch(tehsilId);
  await written(time, () => state.written.length === 3);
});

it('writes a workbook again at the next start if it was deleted', async () => {
  const { stores, tehsilId, time, files, state, process } = await world();
  await publish(stores, 'r1', { tehsilId, cluster: 2 });
  for (const count of [3, 6]) {
    const { files: started } = process();
    started.start();
    await written(time, () => state.written.length === count);
    await started.close();
    files.delete(`${NAME}.xlsx`);
  }
});

it('writes nothing for a place without tables, or after close', async () => {
  const { stores, tehsilId, time, state, process } = await world();
  const { files, signals } = process();
  files.start();
  files.touch(tehsilId);
  files.touch(999);
  await time.advance(2000);
  await files.close();
  await publish(stores, 'r1', { tehsilId, cluster: 1 });
  signals.emit('changed', 'r1');
  files.touch(tehsilId);
  await time.advance(4000);
  expect([state.written, time.sleeping]).toEqual([[], 0]);
});
