import type { StacCatalog, StacCollection, StacItem } from 'stac-ts';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { rasterItem } from '../builder/raster-item.ts';
import { officialJudge, skipReason } from '../official-schemas.fixture.ts';
import {
  NUMERIC_INPUT,
  RASTER_INPUT,
  sampleCatalog,
  sampleCollection,
  sampleNumeric,
  sampleRaster,
  sampleTabular,
  sampleVector,
} from '../samples.fixture.ts';
import type { Catalog, Collection, Item } from '../types.ts';
import { validate } from '../validate/assert-valid.ts';
import { catalogV100, collectionV100, itemV100, type CatalogV100, type ItemV100 } from './index.ts';

if (skipReason !== undefined) console.warn(`skipped in part: ${skipReason}`);

const DOCUMENTS = {
  raster: itemV100(sampleRaster()),
  numeric: itemV100(sampleNumeric()),
  vector: itemV100(sampleVector()),
  tabular: itemV100(sampleTabular()),
  collection: collectionV100(sampleCollection()),
  catalog: catalogV100(sampleCatalog()),
} as const;

describe('documents of STAC 1.0.0', () => {
  const judge = skipReason === undefined ? officialJudge('every extension') : () => [];

  it('have the types of stac-ts; documents of 1.1.0 differ from these types only in the version', () => {
    expectTypeOf<ItemV100>().toExtend<StacItem>();
    expectTypeOf<CatalogV100>().toExtend<StacCatalog>();
    expectTypeOf<Item>().not.toExtend<StacItem>();
    type OfVersion<T> = Omit<T, 'stac_version'> & { stac_version: '1.1.0' };
    expectTypeOf<Item>().toExtend<OfVersion<StacItem>>();
    expectTypeOf<Collection>().toExtend<OfVersion<StacCollection>>();
    expectTypeOf<Catalog>().toExtend<OfVersion<StacCatalog>>();
    const item: StacItem = DOCUMENTS.numeric.document;
    expect(item.stac_version).toBe('1.0.0');
  });

  it.each(Object.entries(DOCUMENTS))('have no errors under the profile headwater: %s', (_name, { document }) => {
    expect(validate(document, { profile: 'headwater' }).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.skipIf(skipReason !== undefined).each(Object.entries(DOCUMENTS))(
    'pass the official schemas of 1.0.0 and of every extension that they declare: %s',
    (_name, { document }) => {
      expect(judge(document)).toEqual([]);
    },
  );

  it('describe bands by raster v1.1 and eo v1.1, and list the losses', () => {
    const { document, losses } = DOCUMENTS.numeric;
    expect(document.assets.data['eo:bands']).toEqual([
      { name: 'slope', description: 'Slope in percent of the horizontal distance' },
      { name: 'aspect' },
      { name: 'landform' },
    ]);
    const common = { sampling: 'area', spatial_resolution: 30 };
    expect(document.assets.data['raster:bands']).toEqual([
      {
        ...common,
        data_type: 'float32',
        nodata: -9999,
        unit: '%',
        statistics: { minimum: 0, maximum: 61.25, mean: 4.5, stddev: 3.25, valid_percent: 40.5 },
      },
      { ...common, data_type: 'float32', nodata: 'nan', unit: 'degree' },
      { ...common, data_type: 'int16', nodata: -32_768 },
    ]);
    expect(document.assets.data).not.toHaveProperty('bands');
    expect(losses.map(({ pointer, rule, lost, replacement }) => [pointer, rule, lost, replacement])).toEqual([
      ['/assets/data/bands/0/statistics/count', 'statistics.count', 1000, undefined],
      ['/assets/cog/bands/0/statistics/count', 'statistics.count', 1000, undefined],
    ]);
  });

  it('describe the single band of a raster of classes, and the CRS as a number', () => {
    const { document, losses } = DOCUMENTS.raster;
    const band = { data_type: 'uint8', nodata: 0, sampling: 'area', spatial_resolution: 10 };
    expect(document.assets.data).toMatchObject({
      'raster:bands': [band],
      'classification:classes': sampleRaster().assets.data['classification:classes'],
    });
    expect(document.assets['thumbnail']).not.toHaveProperty('raster:bands');
    expect(document.properties).toMatchObject({ 'proj:epsg': 4326, 'proj:shape': [1113, 2226] });
    expect(document.properties).not.toHaveProperty('proj:code');
    expect(document.stac_extensions.join()).toMatch(/projection\/v1\.1\.0.*raster\/v1\.1\.0/);
    expect(losses).toEqual([]);
  });

  it('list losses of a CRS or a licence', () => {
    const grid = { ...NUMERIC_INPUT.grid, code: 'ESRI:54009' };
    const { document, losses } = itemV100(rasterItem({ ...RASTER_INPUT, grid, license: 'other' }));
    expect(document.properties).toMatchObject({ 'proj:epsg': null, license: 'proprietary' });
    expect(losses.map(({ pointer, lost, replacement }) => [pointer, lost, replacement])).toEqual([
      ['/properties/license', 'other', 'proprietary'],
      ['/properties/proj:code', 'ESRI:54009', null],
    ]);
    const collection = collectionV100({ ...sampleCollection(), license: 'other' });
    expect(collection.document).toMatchObject({ license: 'proprietary', summaries: { 'proj:epsg': [4326] } });
    expect(collection.losses.map(({ pointer }) => pointer)).toEqual(['/license']);
  });

  it('do not change their input', () => {
    const item = sampleNumeric();
    const before = structuredClone(item);
    itemV100(item).document.links.pop();
    expect(item).toStrictEqual(before);
  });
});
