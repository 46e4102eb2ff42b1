import { describe, expect, it } from 'vitest';
import { sampleRaster } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';

const findingsOf = (value: unknown) =>
  validate(value, { profile: 'headwater' })
    .filter(({ rule }) => rule.startsWith('deliverable.'))
    .map(({ pointer, rule, severity }) => `${pointer} ${rule} ${severity}`);

describe('the three results that the specification refuses', () => {
  it.each([
    ['projects/corestack/assets/apps/mws/assam/cachar/lulc_2023', 'asset-id'],
    ['users/owner/lulc', 'asset-id'],
    ['gs://bucket/lulc.tif', 'asset-id'],
    ['s3://bucket/lulc.tif', 'asset-id'],
    ['LULC_17_18:LULC_17_18_lakhipur_level_1', 'layer-name'],
    ['lulc_2023_lakhipur', 'layer-name'],
    ['/app/data/lulc.tif', 'local-path'],
    ['./out/lulc.tif', 'local-path'],
    ['out/lulc.geojson', 'local-path'],
    ['lulc.fgb', 'local-path'],
    ['out/lulc.zarr/', 'local-path'],
    ['C:\\data\\my layers\\lulc.tif', 'local-path'],
    ['file:///srv/lulc.tif', 'local-path'],
  ])('%s is reported with the form %s', (text, form) => {
    expect(findingsOf(text)).toEqual([` deliverable.${form} error`]);
    expect(findingsOf([text])).toEqual([`/0 deliverable.${form} error`]);
    const [finding] = validate(text, { profile: 'headwater' });
    expect(finding).toMatchObject({ got: JSON.stringify(text), source: 'spec' });
    expect(finding?.expected).toContain(form.replace('-', ' ').replace('local path', 'local file path'));
  });

  it('are reported in an object that is not an Item, in addition to its missing members', () => {
    expect(findingsOf({ status: 'success', asset_id: 'projects/p/assets/lulc', version: '1' })).toEqual([
      '/asset_id deliverable.asset-id error',
    ]);
    expect(findingsOf({ layer_name: 'ws:lulc' })).toEqual(['/layer_name deliverable.layer-name error']);
    expect(findingsOf({ path: '/tmp/lulc.tif' })).toEqual(['/path deliverable.local-path error']);
    expect(validate({ path: '/tmp/lulc.tif' }, { profile: 'headwater' }).map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['assets.object', 'geometry.type', 'bbox.shape', 'properties.object']),
    );
  });

  it.each([
    ['gee_asset_path', 'asset-id'],
    ['assetID', 'asset-id'],
    ['geoserver_layer_name', 'layer-name'],
    ['typeName', 'layer-name'],
    ['typename', 'layer-name'],
    ['output_path', 'local-path'],
    ['filepath', 'local-path'],
    ['localFile', 'local-path'],
  ])('are recognized by the name of the member %s', (member, form) => {
    expect(findingsOf({ [member]: 'lulc' })).toEqual([`/${member} deliverable.${form} error`]);
    expect(findingsOf([{ [member]: 'lulc' }])).toEqual([`/0/${member} deliverable.${form} error`]);
    expect(findingsOf([{ ...sampleRaster(), [member]: 'lulc' }])).toEqual([]);
  });

  it('are not recognized in names that only contain such words', () => {
    expect(findingsOf({ asset_count: 'one', layer_type: 'raster', path_row: '1', profile: 'x', layered: 'y' })).toEqual(
      [],
    );
  });

  it('are reported in lists and in wrapped results', () => {
    expect(findingsOf({ asset_ids: ['projects/a/b', 'projects/a/c'] })).toEqual([
      '/asset_ids/0 deliverable.asset-id error',
      '/asset_ids/1 deliverable.asset-id error',
    ]);
    expect(findingsOf({ result: { asset_id: 'x' } })).toEqual(['/result/asset_id deliverable.asset-id error']);
    expect(findingsOf({ ok: true, result: { output: ['/tmp/a.tif'] } })).toEqual([
      '/result/output/0 deliverable.local-path error',
    ]);
    expect(findingsOf({ results: [{ layer_name: 'a' }, sampleRaster()] })).toEqual([
      '/results/0/layer_name deliverable.layer-name error',
    ]);
    expect(findingsOf({ asset_id: 'projects/p/a', stac_items: ['/tmp/a.tif'] })).toEqual([
      '/asset_id deliverable.asset-id error',
      '/stac_items/0 deliverable.local-path error',
    ]);
    expect(findingsOf({ stac_spec: { eo_asset_path: 'projects/p/a' } })).toEqual([
      '/stac_spec/eo_asset_path deliverable.asset-id error',
    ]);
    for (const wrapped of [{ result: sampleRaster() }, { stac_spec: sampleRaster() }, { stac_items: [sampleRaster()] }])
      expect(findingsOf(wrapped)).toEqual([]);
  });

  it('are not recognized in addresses, prose, numbers and Items', () => {
    for (const value of ['https://example.org/lulc.tif', 'It has failed.', '[]', '{"a":1}', '...', '', 7, [], null]) {
      expect(findingsOf(value)).toEqual([]);
      expect(validate(value, { profile: 'headwater' })).toMatchObject([{ rule: 'item.object', severity: 'error' }]);
    }
    expect(findingsOf({ ...sampleRaster(), layer_name: 'ws:lulc' })).toEqual([]);
  });
});
