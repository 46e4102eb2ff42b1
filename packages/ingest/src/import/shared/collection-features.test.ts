import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { cpuTime } from '../../../../../scripts/cpu-time.mjs';
import type { ImportRequest } from './import-deps.ts';
import { readFeatures } from './collection-features.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-features-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'sent.geojson');
const request: ImportRequest = { path, fileName: 'sent.geojson', signal: new AbortController().signal };

async function read(text: string, feature = 1_000_000): Promise<readonly unknown[]> {
  writeFileSync(path, text);
  const found: unknown[] = [];
  for await (const each of readFeatures(request, { file: 10_000_000, feature })) found.push(each.feature);
  return found;
}

it('returns the same features as JSON.parse, wherever the chunks of the file end', async () => {
  // Most files become longer than a chunk of the stream (65,536 bytes), so that chunks split characters and features.
  const long = fc.nat(3000).map((length) => 'कठ"]{\\'.repeat(10 + length));
  const value = fc.oneof(fc.jsonValue(), long);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), value), { maxLength: 8 }),
      fc.jsonValue(),
      async (features, other) => {
        const text = JSON.stringify(
          { other, features, type: 'FeatureCollection', links: [{ features: [{}] }] },
          null,
          1,
        );
        const parsed: { readonly features: readonly unknown[] } = JSON.parse(text);
        expect(await read(text)).toEqual(parsed.features);
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

it('refuses a feature that is too long or not JSON', async () => {
  const text = JSON.stringify({ type: 'FeatureCollection', features: [{ a: 'x'.repeat(200) }] });
  await expect(read(text, 100)).rejects.toThrow('a feature has more than 100 bytes');
  await expect(read(text.replace('"a"', 'a'))).rejects.toThrow('not JSON in UTF-8');
  await expect(read(text.replace('}]}', '}]}]'))).rejects.toThrow('ends in the middle');
});

it('reads the members outside of the features only once, also in a file with many arrays', async () => {
  const lists = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`a${index}`, []]));
  const { result, ms } = await cpuTime(
    async () => await read(JSON.stringify({ ...lists, type: 'FeatureCollection', features: [{ a: 1 }] })),
  );
  expect(result).toEqual([{ a: 1 }]);
  // The reader usually needs a tenth of this limit. Reading bytes again for each array would take half a minute.
  expect(ms).toBeLessThan(5000);
});

it('refuses too many bytes outside of the features, and coordinates in metres', async () => {
  const around = JSON.stringify({ type: 'FeatureCollection', more: 'x'.repeat(4 * 1024 ** 2), features: [] });
  await expect(read(around)).rejects.toThrow('more than 4 MB outside of its features');
  const metres = { type: 'name', properties: { name: 'EPSG:3857' } };
  const text = JSON.stringify({ type: 'FeatureCollection', crs: metres, features: [] });
  await expect(read(text)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringMatching(/ogr2ogr -t_srs/),
  });
});
