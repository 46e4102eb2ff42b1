import { describe, expect, it } from 'vitest';
import { instant } from '../instant.ts';
import { BASE, itemInput, sampleCollection, sampleRaster, sampleVector } from '../samples.fixture.ts';
import { catalogSchema, itemSchema } from '../schemas.ts';
import { assertValid } from '../validate/assert-valid.ts';
import { buildCatalog, buildCollection } from './catalog.ts';
import { extentOf, joinExtents } from './extent.ts';
import { joinMembers, memberFields, membersOf } from './members.ts';

describe('catalogues and Collections', () => {
  it('have the exact extent of their members', () => {
    const early = { ...sampleRaster(), bbox: [90, 20, 91, 21] };
    const extent = extentOf([early, sampleVector()]);
    expect(extent).toEqual({
      spatial: { bbox: [[90, 20, 93.1, 24.8]] },
      temporal: { interval: [['2023-07-01T00:00:00Z', '2024-06-30T00:00:00Z']] },
    });
    expect(
      joinExtents([extent, { ...extent, temporal: { interval: [[instant('2020-01-01T00:00:00Z'), null]] } }]).temporal
        .interval,
    ).toEqual([['2020-01-01T00:00:00Z', null]]);
    expect(() => extentOf([])).toThrow('no box');
    expect(() => extentOf([{ id: 'a', bbox: [1, 2] }])).toThrow('Item a has no bbox');
  });

  it('may have more members than a function call can have arguments', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => ({
      bbox: [index / 10_000, index / 10_000, 21, 22],
      properties: { datetime: '2024-01-01T00:00:00Z', gsd: index + 1 },
    }));
    expect(extentOf(many).spatial.bbox).toEqual([[0, 0, 21, 22]]);
    expect(memberFields(membersOf(many)).summaries?.['gsd']).toEqual({ minimum: 1, maximum: 200_000 });
  });

  it('summarize the members: values and ranges of their properties, and their assets', () => {
    const items = [sampleRaster(), sampleVector(), sampleRaster()];
    const collection = sampleCollection(items);
    expect(collection.summaries).toEqual({
      gsd: { minimum: 10, maximum: 10 },
      'proj:code': ['EPSG:4326'],
      'processing:version': ['1'],
    });
    expect(collection.item_assets?.['thumbnail']).toEqual({
      type: 'image/png',
      title: 'Thumbnail',
      roles: ['thumbnail'],
    });
    expect(collection.item_assets?.['data']).toEqual({
      roles: ['data'],
      description: 'application/geo+json or image/tiff; application=geotiff: Raster Layer or Vector Layer',
    });
    expect(Object.values(collection.item_assets ?? {}).some((asset) => 'href' in asset)).toBe(false);
    assertValid(collection, 'headwater');
  });

  it('have the same summary for any order of nested members', () => {
    const [a, b] = [membersOf([sampleRaster()]), membersOf([sampleVector(), { properties: { gsd: 30 }, assets: {} }])];
    expect(joinMembers([a, b])).toEqual(joinMembers([b, a]));
    expect(joinMembers([a, b])).toEqual(
      membersOf([sampleRaster(), sampleVector(), { properties: { gsd: 30 }, assets: {} }]),
    );
    expect(memberFields(joinMembers([a, b])).summaries?.['gsd']).toEqual({ minimum: 10, maximum: 30 });
    expect(memberFields(joinMembers([]))).toEqual({});
    expect(memberFields(membersOf([{ properties: null, assets: { x: 1, y: { href: 'z', roles: [] } } }, {}]))).toEqual(
      {},
    );
  });

  it('link to root, self, parent, children and items with types and titles', () => {
    const rels = sampleCollection().links.map(({ rel, type }) => `${rel} ${type}`);
    expect(rels).toEqual([
      'root application/json',
      'self application/json',
      'parent application/json',
      'item application/geo+json',
      'item application/geo+json',
      'license text/html',
    ]);
    const root = buildCatalog({ id: 'r', title: 'R', description: 'R', self: `${BASE}/` });
    expect(root.links.map(({ rel, href }) => `${rel} ${href}`)).toEqual([`root ${BASE}/`, `self ${BASE}/`]);
    expect(() => buildCatalog({ id: 'a/b', title: 'R', description: 'R', self: `${BASE}/` })).toThrow('not safe');
  });

  it('refuse a parent without a root, empty lists, and invalid boxes or times', () => {
    const node = { id: 'r', title: 'R', description: 'R', self: `${BASE}/` };
    const root = { href: `${BASE}/`, title: 'Root' };
    expect(buildCatalog({ ...node, root, parent: root }).links.map(({ rel }) => rel)).toEqual([
      'root',
      'self',
      'parent',
    ]);
    const halfPlaced: object = { ...node, parent: root };
    expect(() => Reflect.apply(buildCatalog, undefined, [halfPlaced])).toThrow('root: give both root and parent');
    expect(() => buildCatalog({ ...node, links: [{ rel: 'parent', ...root }] })).toThrow('links.parent: this relation');
    const { spatial, temporal } = extentOf([sampleRaster()]);
    const collection = {
      ...node,
      root,
      parent: root,
      keywords: ['a'],
      license: 'other',
      providers: [{ name: 'P' }],
    } as const;
    const build = (change: object): unknown =>
      Reflect.apply(buildCollection, undefined, [{ ...collection, extent: { spatial, temporal }, ...change }]);
    assertValid(build({}), 'headwater');
    expect(() => build({ extent: { spatial: { bbox: [[1, 2, 3]] }, temporal } })).toThrow(
      '/extent/spatial/bbox/0: got [1,2,3]',
    );
    expect(() => build({ extent: { spatial, temporal: { interval: [['2024', null]] } } })).toThrow(
      '/extent/temporal/interval/0',
    );
    expect(() => build({ keywords: [] })).toThrow('keywords: the list is empty');
    expect(() => build({ providers: [{ name: ' ' }] })).toThrow('providers.name');
  });

  it('have a zod schema that refuses Items; issues of the Item schema have the path and the rule', () => {
    expect(itemSchema.safeParse(sampleRaster()).success).toBe(true);
    const broken = { ...sampleRaster(), bbox: [0, 0, 1, 1] };
    const issues = itemSchema
      .safeParse(broken)
      .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    expect(issues).toEqual([expect.stringMatching(/^bbox .*\[bbox\.matches-geometry\]$/)]);
    expect(catalogSchema.safeParse(sampleRaster()).success).toBe(false);
  });

  it('are tested with sample Items whose ids contain place, layer and year', () => {
    expect(itemInput('terrain_raster', 2023).id).toBe('assam_cachar_lakhipur_terrain_raster_2023');
  });
});
