import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Polygon } from 'geojson';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPlacesInThread } from './read-places-in-thread.ts';
import { readPlaces } from './read-places.ts';
import { writePlace } from './write-place.ts';

let [base, dir] = ['', ''];
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'hostile-places-'));
  dir = join(base, 'places');
  await mkdir(dir);
});
afterEach(() => rm(base, { recursive: true, force: true }));

const square: Polygon = {
  type: 'Polygon',
  coordinates: [[78, 79, 79, 78, 78].map((lon, i) => [lon, i === 2 || i === 3 ? 18 : 17])],
};
const names = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
const put = (name: string, text: string): Promise<void> => writeFile(join(dir, name), text);

describe('entries of the folder that are not usable files', () => {
  it.each([
    ['in this thread', readPlaces],
    ['in a worker thread', readPlacesInThread],
  ])('are reported and do not block the reading, %s', async (_, read) => {
    await writePlace(join(dir, 'good'), { ...names, geometry: square, mws: [], villages: [] });
    await writeFile(join(base, 'signing.key'), 'secret');
    await symlink('boundary.geojson', join(dir, 'good/alias.geojson'));
    execFileSync('mkfifo', [join(dir, 'a-pipe.geojson')]);
    await symlink('/dev/zero', join(dir, 'b-zero.geojson'));
    await symlink(join(base, 'signing.key'), join(dir, 'c-key.geojson'));
    await put('d-large.geojson', '');
    await truncate(join(dir, 'd-large.geojson'), 2 ** 34);
    await put('e-wide.geojson', `{"type":"FeatureCollection","features":[${'[],'.repeat(8_000_000)}1]}`);
    await put('f-deep.geojson', '['.repeat(500_000) + ']'.repeat(500_000));
    const geometry = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    await put(
      'g-nested.geojson',
      JSON.stringify({ type: 'Feature', properties: names, geometry: { type: 'Polygon', coordinates: 0 } }).replace(
        ':0',
        `:${geometry}`,
      ),
    );
    const { bundles, problems } = await read(dir);
    expect(bundles.map(({ tehsil }) => tehsil)).toEqual(['Cland']);
    expect(problems.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
      expect.stringMatching(/^a-pipe\.geojson: it is a pipe, not a file; put the file itself there/),
      expect.stringMatching(/^b-zero\.geojson: it is outside of the allowed folder/),
      expect.stringMatching(/^c-key\.geojson: it is outside of the allowed folder/),
      expect.stringMatching(
        /^d-large\.geojson: it has 17179869184 bytes, more than 134217728; simplify it or split it/,
      ),
      expect.stringMatching(/^e-wide\.geojson: .*more than about 16000000 values; simplify it or split it/),
      expect.stringMatching(/^f-deep\.geojson: this is not a GeoJSON Feature/),
      expect.stringMatching(/^g-nested\.geojson: /),
      expect.stringMatching(/^good\/alias\.geojson: tehsil Cland .* was read from good already/),
    ]);
  });
});
