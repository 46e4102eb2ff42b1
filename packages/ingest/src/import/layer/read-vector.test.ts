import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImportNotes } from '../shared/import-notes.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readVector } from './read-vector.ts';

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'headwater-vector-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const SQUARE = '[[[85,24],[85.1,24],[85.1,24.1],[85,24.1],[85,24]]]';
const feature = (coordinates: string, properties = '{"uid":"1"}'): string =>
  `{"type":"Feature","properties":${properties},"geometry":{"type":"Polygon","coordinates":${coordinates}}}`;

async function read(...features: readonly string[]) {
  const path = join(folder, 'in.geojson');
  await writeFile(path, `{"type":"FeatureCollection","features":[${features.join()}]}`);
  const findings = new ImportNotes();
  const request = { path, fileName: 'in.geojson', signal: new AbortController().signal };
  return { vector: await readVector(request, findings), report: findings.report };
}

it('refuses the whole layer if its polygons have too many positions', async () => {
  const long = `[[${'0,'.repeat(2_500_000)}0]]`;
  await expect(read(feature(SQUARE), feature(long), feature(long))).rejects.toThrow(
    'the file has more than 5,000,000 positions; simplify it or split it',
  );
}, 120_000);

it('leaves out a feature with a property that is nested too deep, and names the property', async () => {
  const nested = (deep: number): string => `{"uid":"1","more":${'['.repeat(deep)}${']'.repeat(deep)}}`;
  const { vector, report } = await read(
    feature(SQUARE),
    feature(SQUARE, nested(100_000)),
    feature(SQUARE, nested(100)),
  );
  expect(vector?.features).toHaveLength(2);
  expect(report.refused).toEqual([
    {
      source: 'in.geojson',
      row: 2,
      field: 'more',
      problem: 'The feature was left out: property more has lists or objects more than 100 deep; remove it.',
    },
  ]);
});
