import { gunzipSync } from 'node:zlib';
import { type AssetFile, type AssetStore, DomainError, SILENT } from '@headwater/core';
import { createMemoryAssets } from '@headwater/core/memory';
import { expect, it } from 'vitest';
import { createLayerForms } from './layer-forms.ts';
import { type FormSource, storedForm, type StoredLayer } from './wfs-form.ts';

const KEY = 'run/1/mws.geojson';
const FEATURES = Array.from({ length: 3000 }, (_each, at) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [at / 100, 24] },
  properties: { uid: `12_${at}` },
}));

async function layerOf(text: string, more: Partial<AssetStore> = {}) {
  const memory = createMemoryAssets();
  await memory.begin('run', 1);
  await memory.write('run', 1, 'mws.geojson', text);
  const written: string[] = [];
  const assets: AssetStore = {
    ...memory,
    write: async (...[runId, token, name, body]) => {
      written.push(name);
      return await memory.write(runId, token, name, body);
    },
    ...more,
  };
  const file = await memory.open(KEY);
  if (file === undefined) throw new Error(`the store has no file ${KEY}`);
  const layer: StoredLayer = { layerName: 'mws_a_b', assetKey: KEY, file, geometryName: 'the_geom' };
  return { forms: createLayerForms({ assets, logger: SILENT }), stored: layer, layer: storedForm(layer), written };
}

const collection = (features: readonly unknown[]): string => JSON.stringify({ type: 'FeatureCollection', features });

async function bytesOf(file: AssetFile, start = 0, end = file.bytes - 1): Promise<Buffer> {
  return Buffer.from(await new Response(file.stream(start, end)).arrayBuffer());
}

it('builds each encoding once for several simultaneous requests; encodings have different ETags', async () => {
  const { forms, layer, written } = await layerOf(collection(FEATURES));
  const [plain, packed] = await Promise.all([
    forms.file(layer, 'identity'),
    forms.file(layer, 'gzip'),
    forms.file(layer, 'gzip'),
  ]);
  expect(gunzipSync(await bytesOf(packed)).equals(await bytesOf(plain))).toBe(true);
  expect(JSON.parse((await bytesOf(plain)).toString())).toMatchObject({
    features: expect.arrayContaining([{ ...FEATURES[2], id: 'mws_a_b.3', geometry_name: 'the_geom' }]),
    totalFeatures: 3000,
  });
  expect([plain.encoding, packed.encoding, plain.etag === packed.etag]).toEqual(['identity', 'gzip', false]);
  await forms.file(layer, 'gzip');
  expect(written).toEqual(['mws.geojson.ows.json', 'mws.geojson.ows.json.gz']);
});

it('caches the response with selected properties separately from the response with all properties', async () => {
  const { forms, stored, layer, written } = await layerOf(
    collection([{ ...FEATURES[0], properties: { uid: '12_0', area_in_ha: 1, toString: 2 } }]),
  );
  const bare = storedForm({ ...stored, properties: ['uid', 'valueOf'] });
  const propertiesOf = async (of: FormSource): Promise<unknown> => {
    const text = (await bytesOf(await forms.file(of, 'identity'))).toString();
    return (JSON.parse(text) as { features: readonly { properties: unknown }[] }).features[0]?.properties;
  };
  expect(await propertiesOf(bare)).toEqual({ uid: '12_0' });
  expect(await propertiesOf(layer)).toEqual({ uid: '12_0', area_in_ha: 1, toString: 2 });
  expect(written).toEqual(['mws.geojson.bounds.json', 'mws.geojson.ows.json']);
  expect(forms.validators(bare, 'gzip').etag).not.toBe(forms.validators(layer, 'gzip').etag);
});

it('if a response cannot be cached, sends it without compression, and also sends ranges of it', async () => {
  const whole = await layerOf(collection(FEATURES));
  const expected = await bytesOf(await whole.forms.file(whole.layer, 'identity'));
  const { forms, layer } = await layerOf(collection(FEATURES), {
    write: async () => {
      throw new DomainError('storage_full', 'no space left');
    },
  });
  const file = await forms.file(layer, 'br');
  expect([file.encoding, file.bytes, file.etag]).toEqual([
    'identity',
    expected.byteLength,
    forms.validators(layer, 'identity').etag,
  ]);
  // The two timestamps differ, because they are the times of two stored files.
  const withoutTime = (bytes: Buffer): string => bytes.toString().replace(/"timeStamp":"[^"]*"/, '');
  expect(withoutTime(await bytesOf(file))).toBe(withoutTime(expected));
  for (const [start, end] of [
    [0, 9],
    [65_530, 65_545],
    [150_000, 150_000],
  ] as const)
    expect(await bytesOf(file, start, end)).toEqual(expected.subarray(start, end + 1));
});

it.each(['', 'no JSON', '{}', '[]', '{"type":"Feature"}', '{"type":"FeatureCollection","features":[{"type":"x"}]}'])(
  'throws internal and caches nothing if a stored file is not a collection of features: %s',
  async (text) => {
    const { forms, layer } = await layerOf(text);
    for (const encoding of ['identity', 'gzip'] as const)
      await expect(forms.file(layer, encoding)).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringContaining('cannot be read as GeoJSON'),
      });
  },
);

it('throws unavailable, not internal, if a stored file is removed while its response is built', async () => {
  const gone = new DomainError('unavailable', 'The file was removed; ask again.');
  const { forms, stored } = await layerOf(collection(FEATURES));
  const stream = () => new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(gone) });
  const removed = storedForm({ ...stored, file: { ...stored.file, stream } });
  await expect(forms.file(removed, 'identity')).rejects.toBe(gone);
});
