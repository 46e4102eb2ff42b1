import { boxPolygon, featureGeometry, type Place, slugsOf } from '@headwater/core';
import { instant, itemId } from '@headwater/stac';
import { expect, it } from 'vitest';
import { itemFrame } from '../items/item-frame.ts';
import { joinOutputs, type LayerTools } from './layer-output.ts';
import { publishRasterLayer } from './raster-layer.ts';
import { publishVectorLayer, type VectorLayerDraft } from './vector-layer.ts';

const PLACE: Place = {
  state: { id: 1, name: 'Nadi Pradesh', isActive: true },
  district: { id: 2, name: 'East Nadi', isActive: true, stateId: 1 },
  tehsil: { id: 3, name: 'Jal', isActive: true, districtId: 2, geometry: boxPolygon([78, 17, 79, 18]) },
};
const job = {
  place: PLACE,
  slugs: slugsOf(PLACE, 'alone'),
  box: [78, 17, 79, 18],
  clip: [boxPolygon([78, 17, 79, 18])],
} as const;
const HOST = 'http://localhost:8000';
const addresses = {
  catalog: () => `${HOST}/stac/`,
  collection: (path: string) => `${HOST}/stac/${path}/`,
  item: (path: string, id: string) => `${HOST}/stac/${path}/items/${id}/`,
  file: (key: string) => `${HOST}/files/${key}`,
  features: (workspace: string, layer: string) => `${HOST}/features/${workspace}:${layer}`,
  table: (path: string, name: string, form: string) => `${HOST}/tables/${path}/${name}.${form}`,
  coverage: (workspace: string, layer: string) => `${HOST}/coverages/${workspace}:${layer}`,
};
const id = itemId({ ...job.slugs, layer: 'sample' });
const published = instant(new Date('2025-01-02T03:04:05Z'));
const FRAME = itemFrame({
  id,
  job,
  ports: { addresses, version: '0.1.0', now: () => new Date('2025-01-02T03:04:05Z') },
  runId: 'run-1',
  method: '1',
  lineage: 'Invented',
  keywords: ['sample'],
  synthetic: false,
});
const SHARED = {
  members: { ...FRAME, title: 'Sample', description: 'A sample.', start: published, end: published },
  workspace: 'samples',
  dataset: 'Samples',
  layerName: (place: string) => `sample_${place}`,
};
const VECTOR: VectorLayerDraft = {
  ...SHARED,
  features: [
    { type: 'Feature', properties: { n: 1 }, geometry: featureGeometry(boxPolygon([78.25, 17.25, 78.5, 17.5])) },
  ],
  columns: [{ name: 'n', type: 'integer', description: 'Number' }],
  geometry: 'Outline',
  style: { attribute: 'n', title: 'Number', limits: [0, 1, 2], colors: ['#ff0000', '#0000ff'] },
  shown: { description: 'Numbers.' },
};

/** Records the written files by name: the text, or the requested size of a preview. */
function bench(): LayerTools & { readonly written: ReadonlyMap<string, string> } {
  const written = new Map<string, string>();
  const stored = (name: string) => ({ key: `run-1/1/${name}`, bytes: 4, sha256: 'b'.repeat(64) });
  const drawn = async ({ target, size }: { readonly target: string; readonly size: number }): Promise<void> =>
    void written.set(target, `${size} px`);
  return {
    job,
    written,
    ports: { addresses, pixels: { thumbnail: drawn, zoneThumbnail: drawn } },
    files: {
      path: (name) => name,
      write: async (name, body) => {
        written.set(name, String(body));
        return stored(name);
      },
      stat: async (name) => stored(name),
    },
  };
}

it('publishes a vector with files, an Item with the extent of its preview, and a record with its former name', async () => {
  const tools = bench();
  const {
    items: [item],
    layers: [layer],
  } = await publishVectorLayer(VECTOR, tools);
  expect([...tools.written.keys()].toSorted()).toEqual(['geojson', 'png', 'qml', 'sld'].map((end) => `${id}.${end}`));
  expect(tools.written.get(`${id}.png`)).toBe('512 px');
  expect(item).toMatchObject({ id, collectionPath: 'nadi_pradesh/east_nadi/jal' });
  expect(item?.item).toMatchObject({
    bbox: [78.25, 17.25, 78.5, 17.5],
    properties: { 'table:row_count': 1 },
    assets: { thumbnail: { description: 'Numbers.', 'file:size': 4 } },
  });
  expect(layer).toEqual({
    workspace: 'samples',
    layerName: 'sample_east_nadi_jal',
    formerly: ['sample_nadi_pradesh_east_nadi_jal'],
    datasetName: 'Samples',
    layerType: 'vector',
    tehsilId: 3,
    itemId: id,
    assetKey: `run-1/1/${id}.geojson`,
    styleKey: `run-1/1/${id}.qml`,
  });
});

it('does not publish a vector if its columns differ from the properties of its features', async () => {
  const published = publishVectorLayer({ ...VECTOR, columns: [] }, bench());
  await expect(published).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('property n = 1'),
  });
});

it('uses the extent of the place for a vector without features', async () => {
  const {
    items: [item],
  } = await publishVectorLayer({ ...VECTOR, features: [] }, bench());
  expect(item?.item).toMatchObject({ bbox: [78, 17, 79, 18], properties: { 'table:row_count': 0 } });
});

it('publishes a raster with the extent of its grid, and with its COG as the file of the layer', async () => {
  const grid = { crs: 'EPSG:4326', west: 78, north: 18, pixelWidth: 0.25, pixelHeight: 0.25, cols: 3, rows: 2 };
  const cog = { path: 'a.tif', bytes: 4, sha256: 'a'.repeat(64), grid, histogram: [], inside: 6 };
  const tools = bench();
  const {
    items: [item],
    layers: [layer],
  } = await publishRasterLayer(
    {
      ...SHARED,
      cog,
      file: { key: 'run-1/1/a.tif', bytes: 4, sha256: cog.sha256 },
      gsd: 10,
      content: { bands: [{ name: 'n', dataType: 'float32' }] },
      style: (layerName) => ({ qml: layerName, sld: layerName }),
      colors: { ramp: [{ value: 0, color: [0, 0, 0, 255] }] },
    },
    tools,
  );
  expect(item?.item).toMatchObject({ bbox: [78, 17.5, 78.75, 18], properties: { gsd: 10, 'proj:shape': [2, 3] } });
  expect(layer).toMatchObject({ layerType: 'raster', assetKey: 'run-1/1/a.tif', styleKey: `run-1/1/${id}.qml` });
  expect(tools.written.get(`${id}.sld`)).toBe('sample_east_nadi_jal');
});

it('joins outputs to a result that has the series of all parts, and is whole if all parts are whole', () => {
  const none = { items: [], layers: [], tables: [] };
  const series = [{ tehsilId: 3, name: 'ndvi', description: 'NDVI', dates: [], values: {} }];
  expect(joinOutputs([none, none])).toEqual(none);
  expect(joinOutputs([{ items: [], layers: [], series }, none])).toEqual({ ...none, series });
  expect(joinOutputs([none, { ...none, isWhole: false }])).toEqual({ ...none, isWhole: false });
  expect(joinOutputs([{ ...none, isWhole: true }])).toEqual(none);
});
