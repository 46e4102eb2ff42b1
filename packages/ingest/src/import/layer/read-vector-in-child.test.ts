import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { crowding } from '../../../../../scripts/cpu-time.mjs';
import { ImportNotes } from '../shared/import-notes.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readVectorInChild } from './read-vector-in-child.ts';

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'headwater-vector-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const before = new ImportNotes().report;
const request = (path: string, signal = new AbortController().signal) => ({ path, fileName: 'in.geojson', signal });

async function put(positions: number, end = ']}'): Promise<string> {
  const ring = Array.from({ length: positions }, (_, n) => {
    const [angle, radius] = [(2 * Math.PI * n) / positions, 0.1 + 0.001 * (n % 2)];
    return [85 + radius * Math.cos(angle), 24 + radius * Math.sin(angle)];
  });
  const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  const features = [
    { type: 'Feature', properties: { uid: '1' }, geometry },
    { type: 'Feature', properties: {}, geometry: null },
  ];
  const path = join(folder, 'in.geojson');
  await writeFile(
    path,
    `{"type":"FeatureCollection","features":[${features.map((each) => JSON.stringify(each)).join()}${end}`,
  );
  return path;
}

it.each([100, 40_000])(
  'reads a ring of %i positions, and blocks the event loop for less than 1.5 s, or longer only on a busy machine',
  async (count) => {
    const path = await put(count);
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const { vector, notes } = await readVectorInChild(request(path), before);
    delay.disable();
    expect(vector?.features).toHaveLength(1);
    expect(notes.refused.map(({ row }) => row)).toEqual([2]);
    expect(delay.max / 1e6).toBeLessThan(1500 * crowding());
  },
  120_000,
);

it('reports the same problem for a large file as for a small one, and ends when the signal aborts', async () => {
  const message = 'file: "in.geojson" was not imported: it is not complete: it ends in the middle; copy it again.';
  for (const count of [100, 40_000])
    await expect(readVectorInChild(request(await put(count, '')), before)).rejects.toMatchObject({
      code: 'validation',
      message,
    });
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(readVectorInChild(request(await put(40_000), stopped), before)).rejects.toMatchObject({
    code: 'cancelled',
  });
}, 120_000);
