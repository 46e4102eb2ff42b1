import { DomainError } from '@headwater/core/errors';
import { describe, expect, it } from 'vitest';
import { layer as plain } from '../encodings/world.fixture.ts';
import { readXml } from '../protocol/read-xml.ts';
import { vectorLayer } from './get-feature.ts';
import { ROWS, textOf, wfsWorld } from './wfs.fixture.ts';

const { ask } = wfsWorld();

type Query = Readonly<Record<string, string>>;
const wfs: Query = { service: 'WFS', request: 'GetFeature', typeName: 'mws:mws_a', outputFormat: 'application/json' };

interface Found {
  readonly status: number;
  readonly uids: readonly unknown[];
  readonly body: {
    readonly numberMatched: number;
    readonly features: readonly {
      readonly geometry: unknown;
      readonly properties: Readonly<Record<string, unknown>>;
    }[];
    readonly exceptions?: readonly { readonly code: string; readonly locator: string; readonly text: string }[];
  };
}

async function find(version: string, more: Query): Promise<Found> {
  const reply = await ask('wfs', { ...wfs, version, ...more });
  const body = JSON.parse(await textOf(reply)) as Found['body'];
  return { status: reply.status, body, uids: (body.features ?? []).map(({ properties }) => properties['uid']) };
}

async function errorOf(version: string, more: Query): Promise<unknown> {
  const { status, body } = await find(version, more);
  const [exception] = body.exceptions ?? [];
  return [status, exception?.locator, exception?.text];
}

const ALL = ROWS.map(({ uid }) => uid);

describe('GetFeature', () => {
  it.each([
    ['1.0.0', '84.9,23.9,85.6,24.6'],
    ['1.1.0', '23.9,84.9,24.6,85.6'],
    ['2.0.0', '23.9,84.9,24.6,85.6'],
    ['1.0.0', '84.9,23.9,85.6,24.6,EPSG:4326'],
    ['1.1.0', '84.9,23.9,85.6,24.6,EPSG:4326'],
    ['2.0.0', '84.9,23.9,85.6,24.6,EPSG:4326'],
    ['1.0.0', '84.9,23.9,85.6,24.6,CRS:84'],
    ['1.1.0', '84.9,23.9,85.6,24.6,CRS:84'],
    ['1.1.0', '23.9,84.9,24.6,85.6,urn:ogc:def:crs:EPSG::4326'],
    ['2.0.0', '84.9,23.9,85.6,24.6,CRS:84'],
    ['1.0.0', '23.9,84.9,24.6,85.6,urn:ogc:def:crs:EPSG::4326'],
    ['2.0.0', '23.9,84.9,24.6,85.6,urn:ogc:def:crs:EPSG::4326'],
    ['2.0.0', '9450000,2700000,9520000,2810000,EPSG:3857'],
  ])('%s reads the box %s in the axis order of its coordinate system, or of the version', async (version, bbox) => {
    expect((await find(version, { bbox })).uids).toEqual(['12_1']);
  });

  it.each([
    ['1.0.0', 'INTERSECTS(the_geom, POINT(85.1 24.1))'],
    ['1.1.0', 'INTERSECTS(the_geom, POINT(24.1 85.1))'],
    ['2.0.0', 'INTERSECTS(the_geom, POINT(24.1 85.1))'],
    ['1.0.0', 'INTERSECTS(the_geom, SRID=4326;POINT(85.1 24.1))'],
    ['1.1.0', 'INTERSECTS(the_geom, SRID=4326;POINT(85.1 24.1))'],
    ['2.0.0', 'INTERSECTS(the_geom, SRID=4326;POINT(85.1 24.1))'],
    ['1.0.0', 'BBOX(the_geom, 84.9, 23.9, 85.6, 24.6)'],
    ['2.0.0', 'DWITHIN(the_geom, SRID=4326;POINT(84.9 24.1), 11, kilometers)'],
    ['2.0.0', 'WITHIN(the_geom, SRID=4326;POLYGON((84 23, 85.9 23, 85.9 25, 84 25, 84 23)))'],
    ['2.0.0', 'CONTAINS(the_geom, SRID=4326;POLYGON((85.1 24.1, 85.2 24.1, 85.2 24.2, 85.1 24.1)))'],
    ['2.0.0', '"2021-07-01" = 10'],
    ['2.0.0', "uid = '12_1' AND wet = true"],
  ])('%s filters by %s', async (version, filter) => {
    expect((await find(version, { CQL_FILTER: filter })).uids).toEqual(['12_1']);
  });

  it('accepts a doubled quotation mark in a text, and does not let a text add conditions', async () => {
    expect((await find('1.0.0', { CQL_FILTER: "uid = 'it''s'" })).uids).toEqual(["it's"]);
    expect(await errorOf('1.0.0', { CQL_FILTER: "uid='x' OR 1=1" })).toEqual([
      400,
      'cql_filter',
      expect.stringContaining('write the name of a column'),
    ]);
  });

  const eq = (name: string, value: string): string =>
    `<PropertyIsEqualTo><PropertyName>${name}</PropertyName><Literal>${value}</Literal></PropertyIsEqualTo>`;

  it.each([
    ['1.0.0', `<Filter>${eq('uid', '12_1')}</Filter>`],
    [
      '1.1.0',
      `<ogc:Filter xmlns:ogc="http://www.opengis.net/ogc">${eq('mws:uid', '12_1').replaceAll(/<(\/?)/g, '<$1ogc:')}</ogc:Filter>`,
    ],
    [
      '2.0.0',
      '<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0"><fes:PropertyIsEqualTo><fes:ValueReference>_x0032_021-07-01</fes:ValueReference><fes:Literal>10</fes:Literal></fes:PropertyIsEqualTo></fes:Filter>',
    ],
    [
      '1.0.0',
      `<Filter><And>${eq('wet', 'true')}<Not><PropertyIsGreaterThan><PropertyName>count</PropertyName><Literal>3</Literal></PropertyIsGreaterThan></Not></And></Filter>`,
    ],
    [
      '1.0.0',
      '<Filter><PropertyIsLike wildCard="*" singleChar="?" escape="!"><PropertyName>uid</PropertyName><Literal>12?1*</Literal></PropertyIsLike></Filter>',
    ],
    [
      '1.0.0',
      '<Filter><PropertyIsBetween><PropertyName>area</PropertyName><LowerBoundary><Literal>5</Literal></LowerBoundary><UpperBoundary><Literal>6</Literal></UpperBoundary></PropertyIsBetween></Filter>',
    ],
    [
      '1.0.0',
      '<Filter><BBOX><PropertyName>the_geom</PropertyName><gml:Box xmlns:gml="http://www.opengis.net/gml"><gml:coordinates>84.9,23.9 85.6,24.6</gml:coordinates></gml:Box></BBOX></Filter>',
    ],
    [
      '1.1.0',
      '<Filter><BBOX><PropertyName>the_geom</PropertyName><gml:Envelope xmlns:gml="http://www.opengis.net/gml"><gml:lowerCorner>23.9 84.9</gml:lowerCorner><gml:upperCorner>24.6 85.6</gml:upperCorner></gml:Envelope></BBOX></Filter>',
    ],
    [
      '2.0.0',
      '<Filter><BBOX><gml:Envelope xmlns:gml="http://www.opengis.net/gml/3.2" srsName="EPSG:4326"><gml:lowerCorner>84.9 23.9</gml:lowerCorner><gml:upperCorner>85.6 24.6</gml:upperCorner></gml:Envelope></BBOX></Filter>',
    ],
    ['1.0.0', '<Filter><FeatureId fid="mws_a.1"/></Filter>'],
    ['2.0.0', '(<Filter><ResourceId rid="mws_a.1"/></Filter>)'],
  ])('%s filters by XML: %s', async (version, filter) => {
    expect((await find(version, { FILTER: filter })).uids).toEqual(['12_1']);
  });

  it('filters by feature ids', async () => {
    expect((await find('1.0.0', { featureID: 'mws_a.2,mws_a.4' })).uids).toEqual([ALL[1], ALL[3]]);
    expect((await find('2.0.0', { resourceID: 'mws_a.3' })).uids).toEqual([ALL[2]]);
  });

  it.each([
    ['1.0.0', { maxFeatures: '2', startIndex: '1' }, [ALL[1], ALL[2]]],
    ['2.0.0', { count: '2', startIndex: '1' }, [ALL[1], ALL[2]]],
    // GeoServer ignores `count` in 1.0.0; this service does not.
    ['1.0.0', { count: '1' }, [ALL[0]]],
    ['1.0.0', { outputFormat: 'json', maxFeatures: '1' }, [ALL[0]]],
    ['2.0.0', { count: '0' }, []],
    ['2.0.0', { startIndex: '9' }, []],
    ['2.0.0', { sortBy: 'area D', count: '2' }, [ALL[3], ALL[1]]],
    ['2.0.0', { sortBy: 'wet DESC,count ASC' }, [ALL[2], ALL[0], ALL[3], ALL[1]]],
    ['1.1.0', { sortBy: 'count' }, [ALL[1], ALL[2], ALL[0], ALL[3]]],
  ])('%s pages and sorts: %j', async (version, query, uids) => {
    const found = await find(version, query);
    expect([found.uids, found.body.numberMatched]).toEqual([uids, 4]);
  });

  it('sends the requested columns, with the geometry only if it is requested', async () => {
    const properties = async (propertyName: string): Promise<unknown> => {
      const [feature] = (await find('2.0.0', { propertyName })).body.features;
      return [Object.keys(feature?.properties ?? {}), feature?.geometry !== null];
    };
    expect(await properties('the_geom,uid')).toEqual([['uid'], true]);
    expect(await properties('mws:count,_x0032_021-07-01')).toEqual([['count', '2021-07-01'], false]);
    expect(await properties('*')).toEqual([['uid', 'area', 'count', 'wet', '2021-07-01'], true]);
    expect(await errorOf('2.0.0', { propertyName: 'uid,//*' })).toEqual([
      400,
      'propertyname',
      expect.stringContaining('"//*" is not a column of the layer; use one of uid, area'),
    ]);
  });

  it('returns an empty list for a layer without features, with the columns from its Item', async () => {
    const empty = wfsWorld([]);
    const reply = await empty.ask('wfs', { ...wfs, version: '2.0.0', CQL_FILTER: "uid = 'a'", sortBy: 'uid' });
    expect([reply.status, JSON.parse(await textOf(reply))]).toEqual([
      200,
      expect.objectContaining({ type: 'FeatureCollection', features: [], numberMatched: 0 }),
    ]);
    const schema = await empty.ask('wfs', { request: 'DescribeFeatureType', version: '2.0.0', typeName: 'mws:mws_a' });
    expect(await textOf(schema)).toContain('name="uid"');
  });

  it('counts features without sending them', async () => {
    const reply = await ask('wfs', {
      ...wfs,
      version: '2.0.0',
      outputFormat: '',
      resultType: 'hits',
      CQL_FILTER: 'count > 1',
    });
    expect(readXml(await textOf(reply)).attributes).toMatchObject({ numberMatched: '3', numberReturned: '0' });
  });

  it('sends GML in the axis order of the named coordinate system, and GeoJSON with the longitude first', async () => {
    const gml = async (version: string, srsName = ''): Promise<string> =>
      await textOf(
        await ask('mws/wfs', { ...wfs, version, outputFormat: '', srsName, typeName: 'mws_a', featureID: 'mws_a.1' }),
      );
    expect(await gml('1.0.0')).toContain('85,24 85.5,24');
    expect(await gml('1.1.0')).toContain('24 85 24 85.5');
    expect(await gml('2.0.0')).toContain('24 85 24 85.5');
    expect(await gml('2.0.0', 'CRS:84')).toContain('85 24 85.5 24');
    expect(await gml('1.1.0', 'urn:ogc:def:crs:EPSG::3857')).toContain('9462156.7');
    const { body } = await find('2.0.0', { srsName: 'urn:ogc:def:crs:EPSG::4326', count: '1' });
    expect(body.features[0]?.geometry).toMatchObject({ coordinates: [expect.arrayContaining([[85, 24]])] });
  });

  it('sends features in the UTM zone of their place, easting first, and refuses a far zone', async () => {
    const ends: Query = { srsName: 'EPSG:32645', count: '1' };
    const { body } = await find('2.0.0', ends);
    // The coordinates were computed with gdaltransform.
    expect(body).toMatchObject({ crs: { properties: { name: 'urn:ogc:def:crs:EPSG::32645' } } });
    const [, x = '', y = ''] = /\[\[\[([\d.]+),([\d.]+)\]/.exec(JSON.stringify(body)) ?? [];
    expect([x, y].map((each) => Number(each).toFixed(3))).toEqual(['296550.013', '2655671.205']);
    const gml = await textOf(await ask('wfs', { ...wfs, version: '2.0.0', outputFormat: '', ...ends }));
    expect(gml).toContain('srsName="urn:ogc:def:crs:EPSG::32645"');
    expect(gml).toContain(`${x} ${y} `);
    const capabilities = await textOf(await ask('wfs', { request: 'GetCapabilities', version: '2.0.0' }));
    expect(capabilities).toContain('<wfs:OtherCRS>urn:ogc:def:crs:EPSG::32645</wfs:OtherCRS>');
    expect(await errorOf('2.0.0', { srsName: 'urn:ogc:def:crs:EPSG::32733' })).toEqual([
      400,
      'srsname',
      'srsName: EPSG:32733 is not near the layer; send EPSG:32645, EPSG:4326 or EPSG:3857',
    ]);
  });

  it('has an ETag that depends on the request; may be cached without expiry only if the request has `run`', async () => {
    const tag = async (more: Query) => await ask('wfs', { ...wfs, version: '2.0.0', ...more });
    const [one, same, other, lasting] = await Promise.all([tag({}), tag({}), tag({ count: '1' }), tag({ run: '1' })]);
    expect(one.etag).toBe(same.etag);
    expect(await textOf(one)).toBe(await textOf(same));
    expect(other.etag).not.toBe(one.etag);
    expect([one.isLasting, lasting.isLasting]).toEqual([false, true]);
  });
});

describe('errors', () => {
  it.each([
    [{ bbox: '1,2,3,4', CQL_FILTER: 'count = 1' }, [400, 'cql_filter', 'cannot be sent together with bbox']],
    [{ bbox: '1,2,3' }, [400, 'bbox', 'is not four numbers']],
    [{ bbox: '-1e300,-1e300,1e300,1e300' }, [400, 'bbox', 'is not a position on the Earth']],
    [{ bbox: '1,2,3,4,EPSG:32644' }, [400, 'bbox', '"EPSG:32644" is not offered']],
    [{ srsName: 'EPSG:27700' }, [400, 'srsname', '"EPSG:27700" is not offered']],
    [{ count: '-1' }, [400, 'count', 'is not a whole number']],
    [{ startIndex: '1e9' }, [400, 'startindex', 'is not a whole number']],
    [{ sortBy: 'uid; DROP TABLE' }, [400, 'sortby', 'is not a column']],
    [{ resultType: 'all' }, [400, 'resulttype', 'send results or hits']],
    [{ viewparams: 'a:1' }, [400, 'viewparams', 'is not offered by this request']],
    [{ typeName: 'mws:none' }, [404, 'typename', 'no layer "mws:none" is published']],
    [{ typeName: 'lulc:raster' }, [404, 'typename', 'is a raster layer']],
    [{ typeName: '' }, [400, 'typename', 'missing']],
    [{ typeName: 'mws:mws_a,mws:2021_b' }, [400, 'typename', 'send one layer in each request']],
    [
      { typeName: Array.from({ length: 10_000 }, (_, at) => `mws:l${at}`).join(',') },
      [400, 'typename', '10000 layers are named'],
    ],
    [
      { FILTER: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Filter>&x;</Filter>' },
      [400, 'filter', 'document type, which is refused'],
    ],
    [{ FILTER: '<Filter>&x;</Filter>' }, [400, 'filter', 'not XML']],
    [
      { FILTER: `<Filter>${'<Not>'.repeat(30)}${'</Not>'.repeat(30)}</Filter>` },
      [400, 'filter', 'nested more than 20 levels'],
    ],
    [{ FILTER: `<Filter>${'<Not>'.repeat(3000)}</Filter>` }, [400, 'filter', 'nested more than 40 levels']],
    [
      { FILTER: `<Filter>${'<PropertyIsNull><PropertyName>uid</PropertyName></PropertyIsNull>'.repeat(900)}</Filter>` },
      [400, 'filter', 'has several conditions'],
    ],
    [
      {
        FILTER: `<Filter><Or>${'<PropertyIsNull><PropertyName>uid</PropertyName></PropertyIsNull>'.repeat(900)}</Or></Filter>`,
      },
      [400, 'filter', 'expected 500 at most'],
    ],
    [{ FILTER: `<Filter>${' '.repeat(70_000)}</Filter>` }, [400, 'filter', 'send at most 65536']],
    [
      {
        FILTER:
          '<Filter><PropertyIsEqualTo><PropertyName>*/uid</PropertyName><Literal>1</Literal></PropertyIsEqualTo></Filter>',
      },
      [400, 'filter', '"*/uid" is not a column'],
    ],
    [
      { FILTER: '<Filter><PropertyIsEqualTo><Function name="env"/><Literal>1</Literal></PropertyIsEqualTo></Filter>' },
      [400, 'filter', 'is not a column'],
    ],
    [
      { FILTER: '<Filter><Intersects><PropertyName>the_geom</PropertyName></Intersects></Filter>' },
      [400, 'filter', '<Intersects> is not offered'],
    ],
    [
      {
        FILTER:
          '<Filter><PropertyIsLike wildCard="*"><PropertyName>area</PropertyName><Literal>5*</Literal></PropertyIsLike></Filter>',
      },
      [400, 'filter', 'the column area has no texts'],
    ],
    [{ FILTER: '<Filter/>' }, [400, 'filter', 'the filter is empty']],
    [{ request: 'Transaction' }, [400, 'request', 'is not offered']],
    [{ request: '' }, [400, 'request', 'missing']],
    [{ version: '3.0.0' }, [400, 'version', 'send 2.0.0, 1.1.0, 1.0.0']],
    [{ service: 'WMS' }, [400, 'service', 'send WFS']],
  ] as const)('%j is refused with %j', async (query, [status, locator, text]) => {
    const started = performance.now();
    expect(await errorOf('2.0.0', query)).toEqual([status, locator, expect.stringContaining(text)]);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it.each(['1.0.0', '1.1.0', '2.0.0'])(
    'of %s are sent for bbox together with CQL_FILTER, a missing layer, and an unknown column',
    async (version) => {
      expect(await errorOf(version, { bbox: '1,2,3,4', CQL_FILTER: 'count = 1' })).toEqual([
        400,
        'cql_filter',
        expect.any(String),
      ]);
      expect(await errorOf(version, { typeName: 'mws:none' })).toEqual([404, 'typename', expect.any(String)]);
      expect(await errorOf(version, { CQL_FILTER: 'nope = 1' })).toEqual([400, 'cql_filter', expect.any(String)]);
    },
  );

  it.each([
    ['1.0.0', 'ServiceExceptionReport', undefined],
    ['1.1.0', 'ExceptionReport', '1.0.0'],
    ['2.0.0', 'ExceptionReport', '2.0.0'],
  ])('of %s are a %s', async (version, name, reportVersion) => {
    const reply = await ask('wfs', { ...wfs, version, outputFormat: '', typeName: 'mws:<none>' });
    const report = readXml(await textOf(reply));
    expect([reply.status, report.name, reply.headers['content-type']]).toEqual([
      404,
      name,
      'application/xml; charset=utf-8',
    ]);
    if (reportVersion !== undefined) expect(report.attributes['version']).toBe(reportVersion);
  });
});

describe('GetCapabilities', () => {
  const capabilities = async (query: Query, path = 'ows') =>
    readXml(await textOf(await ask(path, { service: 'WFS', request: 'GetCapabilities', ...query })));

  it.each([
    [{ version: '1.0.0' }, '1.0.0'],
    [{ version: '1.0.5' }, '1.0.0'],
    [{ version: '3.0.0' }, '2.0.0'],
    [{ version: '0.5.0' }, '1.0.0'],
    [{ acceptVersions: '9.0.0,1.1.0,1.0.0' }, '1.1.0'],
    [{}, '2.0.0'],
  ])('with the parameters %j has the version %s', async (query, version) => {
    expect((await capabilities(query)).attributes['version']).toBe(version);
  });

  it.each(['1.0.0', '1.1.0', '2.0.0'])(
    '%s lists the vector layers with encoded names, and BBOX as the only spatial filter',
    async (version) => {
      const root = await capabilities({ version }, 'mws/wfs');
      const text = await textOf(await ask('mws/wfs', { request: 'GetCapabilities', version }));
      const list = root.children.find(({ name }) => name === 'FeatureTypeList');
      const names = list?.children
        .filter(({ name }) => name === 'FeatureType')
        .map(({ children }) => children[0]?.text);
      expect(names).toEqual(['mws:mws_a', 'mws:_x0032_021_b']);
      expect(text).toContain('https://example.org/geoserver/mws/wfs?');
      expect(text.match(/Spatial_?Operator(?:s>|[^s])[^/]*/g)?.join('')).toContain('BBOX');
      expect(text).not.toMatch(/Intersects|<b>|Transaction"?\/?>/);
    },
  );
});

describe('DescribeFeatureType', () => {
  const describeLayers = async (version: string, typeName: string) =>
    await ask('wfs', { service: 'WFS', request: 'DescribeFeatureType', version, typeName });

  it.each(['1.0.0', '1.1.0', '2.0.0'])('%s describes the columns of a layer', async (version) => {
    const text = await textOf(await describeLayers(version, 'mws:mws_a'));
    for (const name of ['uid', 'area', 'count', 'wet', '_x0032_021-07-01', 'the_geom'])
      expect(text).toContain(`name="${name}"`);
  });

  it('accepts encoded names, and at most 50 layers', async () => {
    expect(await textOf(await describeLayers('2.0.0', 'mws:_x0032_021_b'))).toContain('name="_x0032_021_b"');
    const many = Array.from({ length: 51 }, (_, at) => `mws:l${at}`).join(',');
    expect((await describeLayers('2.0.0', many)).status).toBe(400);
  });
});

describe('long values', () => {
  const digits = `${'1'.repeat(40_000)}x`;
  it.each([
    ['sortBy', `${' '.repeat(3000)}x!`],
    ['sortBy', `uid${' '.repeat(40_000)}!`],
    ['bbox', `${digits},1,2,3`],
    [
      'FILTER',
      `<Filter><PropertyIsEqualTo><PropertyName>area</PropertyName><Literal>${digits}</Literal></PropertyIsEqualTo></Filter>`,
    ],
  ])('of %s are refused without delay', async (name, value) => {
    const before = performance.now();
    expect((await find('2.0.0', { [name]: value })).status).toBe(400);
    expect(performance.now() - before).toBeLessThan(500);
  });
});

describe('the name of a layer', () => {
  const request = {
    method: 'GET',
    segments: ['wfs'],
    query: {},
    headers: {},
    signal: new AbortController().signal,
  } as const;
  const name = 'ws_gml:areas';

  it('is not looked up under another name after a failure of the store', async () => {
    const asked: string[] = [];
    const find = async (_workspace: string, layer: string): Promise<undefined> => {
      asked.push(layer);
      throw new DomainError('unavailable', 'the database is away');
    };
    await expect(vectorLayer({ layers: { find } }, request, { parameter: 'typename', name })).rejects.toThrow(
      /is away/,
    );
    expect(asked).toHaveLength(1);
  });

  it('is read with the decoded workspace (gml for ws_gml) if no layer has the name as sent', async () => {
    const layers = {
      find: async (workspace: string, layer: string) => (workspace === 'gml' ? { ...plain, name: layer } : undefined),
    };
    expect(await vectorLayer({ layers }, request, { parameter: 'typename', name })).toMatchObject({ name: 'areas' });
  });

  it('is quoted in the error as the client sent it', async () => {
    const layers = { find: async () => undefined };
    await expect(vectorLayer({ layers }, request, { parameter: 'typename', name })).rejects.toThrow(name);
  });
});
