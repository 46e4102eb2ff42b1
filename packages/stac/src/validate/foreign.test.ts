import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  foreignBands10,
  foreignCatalog,
  foreignCollection10,
  foreignDocuments,
  foreignExtended10,
  foreignItem,
  foreignItem10,
  foreignPoint,
  foreignSpan,
} from '../foreign.fixture.ts';
import { officialJudge, skipReason } from '../official-schemas.fixture.ts';
import { sampleCatalog, sampleCollection, sampleRaster, sampleVector } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';

type Severity = 'error' | 'warning' | 'info';
const findingsOf = (document: unknown, severity: Severity = 'error') =>
  validate(document)
    .filter((each) => each.severity === severity)
    .map(({ rule, pointer }) => `${rule} ${pointer}`);
const named = (documents: readonly object[]) =>
  documents.map(
    (document) =>
      [`${String(Reflect.get(document, 'type'))} ${String(Reflect.get(document, 'id'))}`, document] as const,
  );

describe('STAC of other producers, by the default profile', () => {
  it.each(named(foreignDocuments()))('%s conforms, but not to the profile headwater', (_, document) => {
    expect(findingsOf(document)).toEqual([]);
    expect(validate(document, { profile: 'stac' })).toEqual(validate(document));
    expect(validate(document, { profile: 'headwater' }).some(({ severity }) => severity === 'error')).toBe(true);
  });

  it('our own documents conform too', () => {
    for (const document of [sampleRaster(), sampleVector(), sampleCollection(), sampleCatalog()])
      expect(validate(document)).toEqual([]);
  });

  it('unchecked extensions and an older version of STAC are reported as info', () => {
    expect(findingsOf(foreignItem(), 'info')).toEqual(['extensions.unchecked /stac_extensions/0']);
    expect(findingsOf(foreignItem10(), 'info')).toEqual([
      'stac_version.older /stac_version',
      'extensions.unchecked /stac_extensions/0',
      'extensions.unchecked /stac_extensions/1',
    ]);
  });

  it('violations of rules of 1.1.0 are warnings in a document of 1.0.0, and errors in a document of 1.1.0', () => {
    const inBoth = [
      ['metadata.description /properties/description', foreignItem10()],
      ['metadata.keywords /properties/keywords', foreignItem10()],
      ['metadata.unit /properties/unit', foreignItem10()],
      ['href.absolute /links/0/href', foreignItem10()],
      ['metadata.created /links/1/created', foreignItem10()],
      ['extent.bbox-count /extent/spatial/bbox', foreignCollection10()],
      ['item_assets /item_assets/image', foreignCollection10()],
    ] as const;
    for (const [fault, document] of inBoth) {
      expect(findingsOf(document, 'warning')).toContain(fault);
      expect(findingsOf({ ...document, stac_version: '1.1.0' })).toContain(fault);
    }
    expect(findingsOf({ ...foreignItem(), stac_version: '0.9.0' })).toEqual(['stac_version /stac_version']);
    expect(findingsOf({ ...foreignItem(), stac_version: '1.2.0' }, 'warning')).toEqual([
      'stac_version.unchecked /stac_version',
    ]);
  });

  it('a fault that the core schema of 1.0.0 does not check is an error if the schema of a declared extension checks it', () => {
    const { item_assets: assets } = foreignExtended10();
    const broken = [
      ['item_assets.object /item_assets', { ...foreignExtended10(), item_assets: [] }],
      ['item_assets /item_assets/cover', { ...foreignExtended10(), item_assets: { cover: 'x' } }],
      ['bands.list /bands', { ...foreignExtended10(), bands: 'x' }],
      [
        'metadata.title /item_assets/cover/alternate/s3/title',
        { ...foreignExtended10(), item_assets: { cover: { ...assets.cover, alternate: { s3: { title: 1 } } } } },
      ],
      ['bands.band /assets/visual/bands/0', { ...foreignBands10(), assets: { visual: { href: 'a', bands: ['x'] } } }],
    ] as const;
    for (const [fault, document] of broken) {
      expect(findingsOf(document)).toContain(fault);
      expect(findingsOf({ ...document, stac_extensions: [] }, 'warning')).toContain(fault);
    }
  });

  it('brackets around a host are valid in an address', () => {
    const hrefs = ['https://[::1]:8080/a.tif', '//me@[2001:db8::1]/a.tif', 'a%5B1%5D.tif'];
    for (const href of hrefs) expect(findingsOf({ ...foreignItem(), assets: { a: { href } } })).toEqual([]);
    for (const href of ['https://[x]/', 'https://a.b/?x[]=1', '//[::1/a.tif'])
      expect(findingsOf({ ...foreignItem(), assets: { a: { href } } })).toEqual(['href.fetchable /assets/a/href']);
  });

  it('an invalid keyword is an error in a Collection of 1.0.0, and only a warning in an Item of 1.0.0', () => {
    const collection = { ...foreignCollection10(), keywords: ['sea', 7], providers: [{ name: '' }] };
    expect(findingsOf(collection)).toEqual(['metadata.keywords /keywords/1', 'metadata.providers /providers/0']);
    const item = foreignItem10();
    expect(findingsOf({ ...item, properties: { ...item.properties, keywords: ['sea', 7] } }, 'warning')).toContain(
      'metadata.keywords /properties/keywords/1',
    );
  });

  const { start_datetime: _, ...half } = foreignSpan().properties;
  it.each([
    ['a bbox of five numbers', { ...foreignItem(), bbox: [0, 0, 0, 1, 1] }, 'bbox.shape /bbox'],
    ['a bbox without a geometry', { ...foreignSpan(), bbox: [0, 0, 1, 1] }, 'bbox.of-nothing /bbox'],
    ['no bbox next to a geometry', { ...foreignItem(), bbox: undefined }, 'bbox.shape /bbox'],
    ['no time', { ...foreignItem(), properties: {} }, 'properties.datetime /properties/datetime'],
    ['half a span', { ...foreignSpan(), properties: half }, 'properties.start_datetime /properties/start_datetime'],
    ['a Collection without a link', { ...foreignItem(), links: [] }, 'collection.link /collection'],
    ['a link to a Collection without its id', { ...foreignItem(), collection: undefined }, 'id.safe /collection'],
    ['no id', { ...foreignItem(), id: '' }, 'id.safe /id'],
    ['an asset without an address', { ...foreignItem(), assets: { a: { title: 'A' } } }, 'assets.href /assets/a/href'],
    [
      'an address with a blank',
      { ...foreignItem(), assets: { a: { href: 'a b.tif' } } },
      'href.fetchable /assets/a/href',
    ],
    [
      'an address with brackets around no host',
      { ...foreignItem(), assets: { a: { href: 'a[1].tif' } } },
      'href.fetchable /assets/a/href',
    ],
    [
      'an extension’s field in a wrong form',
      { ...foreignPoint(), properties: { ...foreignPoint().properties, 'table:columns': [{}] } },
      'table.columns /properties/table:columns/0',
    ],
    [
      'an open ring',
      {
        ...foreignItem(),
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 1],
            ],
          ],
        },
        bbox: [0, 0, 1, 1],
      },
      'geometry.ring-closed /geometry/coordinates/0',
    ],
    [
      'an invalid position, after one of four numbers',
      {
        ...foreignItem(),
        geometry: {
          type: 'MultiPoint',
          coordinates: [
            [0, 0, 0, 0],
            [0, '0'],
          ],
        },
      },
      'geometry.position /geometry/coordinates/1',
    ],
    ['no description', { ...foreignCatalog(), description: undefined }, 'description /description'],
  ])('has an error for %s', (_name, document, fault) => {
    expect(findingsOf(document)).toContain(fault);
  });

  it.each([
    ['an id with blanks', foreignSpan(), 'id.safe /id'],
    [
      'a clockwise ring',
      {
        ...foreignItem(),
        geometry: { type: 'Polygon', coordinates: [foreignItem().geometry.coordinates[0]?.toReversed()] },
      },
      'geometry.ring-orientation /geometry/coordinates/0',
    ],
    [
      'positions of four numbers',
      { ...foreignPoint(), geometry: { type: 'Point', coordinates: [8.5, 47.4, 410, 7] } },
      'geometry.position /geometry/coordinates',
    ],
    ['a bbox that differs from the geometry', { ...foreignItem(), bbox: [0, 0, 1, 1] }, 'bbox.matches-geometry /bbox'],
    ['a local path', { ...foreignItem(), assets: { a: { href: '/home/me/a.tif' } } }, 'href.local-path /assets/a/href'],
    [
      'an id of an Earth-observation platform',
      { ...foreignItem(), assets: { a: { href: 'projects/p/assets/lulc' } } },
      'href.asset-id /assets/a/href',
    ],
    ['columns without a type', foreignPoint(), 'table.columns /properties/table:columns/1'],
  ])('has a warning for %s, and conforms', (_name, document, fault) => {
    expect(findingsOf(document)).toEqual([]);
    expect(findingsOf(document, 'warning')).toContain(fault);
  });
});

describe('links to one target', () => {
  const catalog = foreignCatalog();
  const search = { rel: 'search', href: 'https://example.org/search', type: 'application/geo+json' };
  const repeated = (...links: readonly object[]) =>
    findingsOf({ ...catalog, links }, 'warning').filter((each) => each.startsWith('links.repeated'));

  it.each([
    ['method', { ...search, method: 'GET' }, { ...search, method: 'POST' }],
    ['a missing method', search, { ...search, method: 'POST' }],
    ['the media type', search, { ...search, type: 'text/html' }],
    ['body', { ...search, method: 'POST', body: { limit: 1 } }, { ...search, method: 'POST', body: { limit: 2 } }],
    ['relation', search, { ...search, rel: 'items' }],
  ])('are different links if they differ in %s', (_, one, other) => {
    expect(repeated(one, other)).toEqual([]);
  });

  it('are the same link if the request is the same, even if their titles differ', () => {
    expect(repeated(search, { ...search, method: 'POST' }, { ...search, method: 'GET', title: 'Search' })).toEqual([
      'links.repeated /links/2',
    ]);
  });
});

if (skipReason !== undefined) console.warn(`skipped: ${skipReason}`);
describe.skipIf(skipReason !== undefined)('the official schemas', () => {
  const judge = skipReason === undefined ? officialJudge('every extension') : () => [];
  it.each(named(foreignDocuments()))('accept %s too', (_, document) => {
    expect(judge(document)).toEqual([]);
  });

  const scenes = ['S2A_29RKH_20200219_0_L2A', 'S2_L2A_20231201', 'S2_20150711T100008'];
  const folders = ['s2_cog_29RKH', 'openeo_gfmap_s2/cog', 'eolearn_testeopatch/cog'];
  const found = scenes
    .map(
      (scene, index) =>
        new URL(`../../../../../shared/data/eo/${String(folders[index])}/${scene}.json`, import.meta.url),
    )
    .filter((path) => existsSync(path));
  it.each(found.map((path) => [path.pathname.split('/').at(-1), path] as const))(
    'give the same result as our validator for %s, a scene of another producer',
    (_, path) => {
      const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
      expect(findingsOf(document).length > 0, findingsOf(document).join(', ')).toBe(
        officialJudge()(document).length > 0,
      );
      expect(findingsOf(document)).toEqual(['collection.link /collection']);
    },
  );
});

describe('times in RFC 3339 that cannot be stored unchanged', () => {
  it.each([
    '2016-12-31T23:59:60Z',
    '2016-12-31T20:00:00.123456789012Z',
    '2016-12-31t20:00:00Z',
    '2016-12-31 20:00:00+00:00',
  ])('%s conforms, with a warning', (datetime) => {
    const timed = { ...foreignItem(), properties: { datetime } };
    expect(findingsOf(timed)).toEqual([]);
    expect(findingsOf(timed, 'warning')).toEqual(['metadata.datetime /properties/datetime']);
    const own = { ...sampleRaster(), properties: { ...sampleRaster().properties, datetime } };
    const [finding] = validate(own, { profile: 'headwater' });
    expect(finding).toMatchObject({ rule: 'metadata.datetime', severity: 'error' });
    expect(finding?.expected).toContain('nine digits of fraction at most and no leap second');
  });

  it('of an extent conform too, and an invalid text does not', () => {
    const of = (start: string) => ({
      ...foreignCollection10(),
      extent: { ...foreignCollection10().extent, temporal: { interval: [[start, null]] } },
    });
    const fault = 'extent.interval /extent/temporal/interval/0';
    expect([findingsOf(of('2016-12-31 20:00:00Z')), findingsOf(of('2016-12-31 20:00:00Z'), 'warning')]).toEqual([
      [],
      expect.arrayContaining([fault]),
    ]);
    expect(findingsOf(of('2016-12-31_20:00:00Z'))).toEqual([fault]);
  });
});
