import { unzipSync } from 'fflate';
import type { Geometry } from 'geojson';
import { describe, expect, it } from 'vitest';
import { boxOfGeometry, createTable } from '../features/feature-table.ts';
import { wkt } from './csv.ts';
import { cutNames } from './dbf.ts';
import { fromMercator, toMercator } from './coordinates.ts';
import { describeFeatureType, encodeFeatures, fromPrefixedName, fromXmlName, namespaceOf, xmlName } from './index.ts';
import { GEOMETRIES, layer, responseOf, tableOf, URL_OF_SERVER } from './world.fixture.ts';

const square: Geometry = {
  type: 'MultiPolygon',
  coordinates: [
    [
      [
        [85.4, 25.1],
        [85.5, 25.1],
        [85.5, 25.2],
        [85.4, 25.1],
      ],
    ],
  ],
};

const recorded = {
  layer: { ...layer, workspace: 'mws', name: 'mws_pg', geometryName: 'geom' },
  table: createTable([
    {
      id: 'mws_pg.1',
      geometry: square,
      box: boxOfGeometry(square),
      properties: { ogc_fid: 1, uid: '12_1', area_in_ha: 10.5, name: "O'Hara", yr: null },
    },
  ]),
};

const bodyOf = async (...[format, response]: Parameters<typeof encodeFeatures>): Promise<string> =>
  await new Response(encodeFeatures(format, response).body).text();

describe('GeoJSON', () => {
  it('has the shape of a recorded response of GeoServer', async () => {
    expect(await bodyOf('geojson', responseOf(recorded.table, recorded))).toBe(
      '{"type":"FeatureCollection","features":[{"type":"Feature","id":"mws_pg.1","geometry":{"type":"MultiPolygon",' +
        '"coordinates":[[[[85.4,25.1],[85.5,25.1],[85.5,25.2],[85.4,25.1]]]]},"geometry_name":"geom","properties":' +
        '{"ogc_fid":1,"uid":"12_1","area_in_ha":10.5,"name":"O\'Hara","yr":null}}],"totalFeatures":1,"numberMatched":1,' +
        '"numberReturned":1,"timeStamp":"2026-11-20T12:46:22.520Z",' +
        '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4326"}}}',
    );
  });

  it('contains only the requested columns and counts all matches', async () => {
    const table = tableOf([GEOMETRIES['Point']!, null]);
    const columns = [{ name: 'uid', type: 'string' as const }];
    const read = JSON.parse(await bodyOf('geojson', responseOf(table, { columns, numberMatched: 9 })));
    expect(read).toMatchObject({ numberMatched: 9, totalFeatures: 9, numberReturned: 2 });
    expect(read.features[1]).toMatchObject({ geometry: null, properties: { uid: "12_2,'b'" } });
    expect(Object.keys(read.features[0].properties)).toEqual(['uid']);
  });

  it('is sent in pieces if it is long', async () => {
    const table = tableOf(Array.from({ length: 900 }, () => GEOMETRIES['Polygon']!));
    const { body } = encodeFeatures('geojson', responseOf(table));
    const sizes: number[] = [];
    for await (const piece of body as ReadableStream<Uint8Array>) sizes.push(piece.byteLength);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThan(2 ** 17);
    expect(JSON.parse(await bodyOf('geojson', responseOf(table))).features).toHaveLength(900);
  });
});

describe('GML', () => {
  it('has the shape of a recorded response of GeoServer', async () => {
    const text = await bodyOf('gml32', responseOf(recorded.table, { ...recorded, axis: 'yx' }));
    expect(text).toContain(
      '<wfs:member><mws:mws_pg gml:id="mws_pg.1"><mws:ogc_fid>1</mws:ogc_fid><mws:uid>12_1</mws:uid>' +
        '<mws:area_in_ha>10.5</mws:area_in_ha><mws:name>O&apos;Hara</mws:name><mws:geom>' +
        '<gml:MultiSurface srsName="urn:ogc:def:crs:EPSG::4326" srsDimension="2" gml:id="mws_pg.1.geom"><gml:surfaceMember>' +
        '<gml:Polygon gml:id="mws_pg.1.geom.1"><gml:exterior><gml:LinearRing>' +
        '<gml:posList>25.1 85.4 25.1 85.5 25.2 85.5 25.1 85.4</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>' +
        '</gml:surfaceMember></gml:MultiSurface></mws:geom></mws:mws_pg></wfs:member>',
    );
    expect(text).toContain('numberMatched="1" numberReturned="1" timeStamp="2026-11-20T12:46:22.520Z"');
    expect(text).toContain(
      'http://mws https://example.org/geoserver/mws/wfs?service=WFS&amp;version=2.0.0&amp;request=DescribeFeatureType&amp;typeName=mws%3Amws_pg"',
    );
    expect(text).toContain('<gml:lowerCorner>25.1 85.4</gml:lowerCorner><gml:upperCorner>25.2 85.5</gml:upperCorner>');
  });

  it.each([
    ['gml2', '1.0.0', '<gml:null>unknown</gml:null>'],
    ['gml31', '1.1.0', '<gml:Null>unknown</gml:Null>'],
    ['gml32', '2.0.0', 'numberReturned="0"'],
  ] as const)('is valid without features: %s', async (format, version, expected) => {
    const text = await bodyOf(format, responseOf(tableOf([]), { version }));
    expect(text).toContain(expected);
    expect(text).not.toContain('ember>');
  });

  it('states the number of features if only the number is requested', async () => {
    const hits = responseOf(tableOf([]), { isHits: true, numberMatched: 42 });
    expect(await bodyOf('gml31', hits)).toContain('numberOfFeatures="42"');
    expect(await bodyOf('gml32', hits)).toContain('numberMatched="42" numberReturned="0"');
  });

  it('writes a polygon as a multipolygon if the schema of the layer has the type MultiPolygon', async () => {
    const table = tableOf([GEOMETRIES['Polygon']!, GEOMETRIES['MultiPolygon']!]);
    const text = await bodyOf('gml2', responseOf(table));
    expect(table.geometryType).toBe('MultiPolygon');
    expect(text.match(/<gml:MultiPolygon /g)).toHaveLength(2);
    expect(describeFeatureType('1.0.0', [{ layer, table }], URL_OF_SERVER)).toContain('"gml:MultiPolygonPropertyType"');
  });

  it('escapes values and encodes names that are no XML names', async () => {
    const text = await bodyOf('gml2', responseOf(tableOf([null])));
    expect(text).toContain('<mws_layers:_x0032_021-07-01>1.5</mws_layers:_x0032_021-07-01>');
    expect(text).toContain('जल &amp; &lt;b&gt;&quot;x&quot;&lt;/b&gt;, line 1\nline 2');
  });
});

describe('the schema of layers', () => {
  it('has the types of the columns', () => {
    const xsd = describeFeatureType('2.0.0', [{ layer, table: tableOf([square]) }], URL_OF_SERVER);
    expect(xsd).toContain('name="area_in_ha" type="xsd:double"');
    expect(describeFeatureType('1.1.0', [{ layer, table: tableOf([square, null]) }], URL_OF_SERVER)).toContain(
      'name="the_geom" type="gml:MultiSurfacePropertyType" minOccurs="0" maxOccurs="1" nillable="true"',
    );
  });

  it('imports the schema of each workspace if the layers are in several workspaces', () => {
    const table = tableOf([square]);
    const xsd = describeFeatureType('2.0.0', [{ layer, table }, { ...recorded }], URL_OF_SERVER);
    expect(xsd).toContain(
      '<xsd:import namespace="http://mws_layers" schemaLocation="https://example.org/geoserver/mws_layers/wfs?',
    );
    expect(xsd).toContain('<xsd:import namespace="http://mws" schemaLocation="https://example.org/geoserver/mws/wfs?');
  });
});

describe('XML names', () => {
  it.each(['2021-07-01', 'a b', 'क्षेत्र', '_x0032_', 'x:y', '-a', '', '😀', 'plain_1', '_x00'])(
    'of "%s" can be converted back',
    (name) => {
      expect(xmlName(name)).toMatch(/^[A-Za-z_][A-Za-z0-9_.-]*$/);
      expect(fromXmlName(xmlName(name))).toBe(name);
    },
  );

  it('of workspaces never become a reserved prefix', () => {
    expect(['gml', 'wfs', 'xml', 'mws'].map((name) => namespaceOf(name).prefix)).toEqual([
      'ws_gml',
      'ws_wfs',
      'ws_xml',
      'mws',
    ]);
  });
});

describe('EPSG:3857', () => {
  it('is converted both ways', () => {
    const [x, y] = toMercator(85.5, 24.75);
    expect(x).toBeCloseTo(9517816.46, 2);
    expect(fromMercator(x, y)[0]).toBeCloseTo(85.5, 10);
    expect(fromMercator(x, y)[1]).toBeCloseTo(24.75, 10);
    expect(toMercator(0, 90)[1]).toBeCloseTo(20037508.34, 2);
  });
});

describe('CSV', () => {
  it('quotes as RFC 4180 says, distinguishes missing values from empty texts, and does not change formulas', async () => {
    const features = [
      { id: 'a.1', geometry: null, box: null, properties: { a: '=1+1', b: '', c: null, d: 'x,"y"\r\n' } },
    ];
    const table = createTable(features);
    expect(await bodyOf('csv', responseOf(table))).toBe('FID,a,b,c,d,the_geom\r\na.1,=1+1,"",,"x,""y""\r\n",\r\n');
  });

  it('writes all kinds of geometries as WKT', () => {
    expect(wkt(GEOMETRIES['Point']!)).toBe('POINT (85.123456789 24.987654321)');
    expect(wkt(GEOMETRIES['MultiPoint']!)).toBe('MULTIPOINT (85.3 24.7, 85.3 24.9)');
    expect(wkt({ type: 'GeometryCollection', geometries: [{ type: 'MultiPolygon', coordinates: [] }] })).toBe(
      'GEOMETRYCOLLECTION (MULTIPOLYGON EMPTY)',
    );
  });
});

describe('namespaces of workspaces', () => {
  it.each([
    ['mws', 'mws'],
    ['gml', 'ws_gml'],
    ['WFS', 'ws_WFS'],
    ['xmlns', 'ws_xmlns'],
    ['xlink', 'ws_xlink'],
    ['ows', 'ws_ows'],
    ['ws_gml', 'ws_ws_gml'],
    ['2021', '_x0032_021'],
  ])('never have a reserved prefix: %s has %s', (workspace, prefix) => {
    expect(namespaceOf(workspace).prefix).toBe(prefix);
    expect(fromPrefixedName(`${prefix}:a`)).toContain(`${workspace}:a`);
  });
});

describe('Shapefiles', () => {
  const write = (properties: Readonly<Record<string, unknown>>, geometry: Geometry | null = null): unknown =>
    encodeFeatures(
      'shapefile',
      responseOf(createTable([{ id: 'a.1', geometry, box: boxOfGeometry(geometry), properties }])),
    );

  it.each([
    ['a text of a Shapefile has at most 254 bytes, and a text of column "long" has 255', { long: 'x'.repeat(255) }],
    [
      'a Shapefile has at most 255 columns, and the response has 256',
      Object.fromEntries([...Array(256).keys()].map((n) => [`c${n}`, n])),
    ],
  ])('refuse data beyond their limits: %s', (problem, properties) => {
    expect(() => write(properties)).toThrow(`outputFormat: ${problem}; choose CSV, GeoJSON or GML`);
  });

  it('refuse a geometry collection', () => {
    expect(() => write({}, GEOMETRIES['GeometryCollection'])).toThrow('cannot hold the geometry collection of a.1');
  });

  it('have unique column names of at most 10 bytes, in whole characters', () => {
    const names = ['drought_weeks_2021', 'drought_weeks_2022', 'DROUGHT_WE', 'क्षेत्रफल', '', 'drought__1'];
    const cut = cutNames(names);
    expect(cut).toEqual(['drought_we', 'drought__1', 'DROUGHT__2', 'क्ष', 'column', 'drought__3']);
    expect(cutNames(Array.from({ length: 255 }, () => 'drought_weeks')).at(-1)).toBe('drough_254');
  });

  it('hold numbers of any size in 24 bytes', async () => {
    const numbers = [1.2345678901234567e-6, -1.2345678901234567e-100, 2 ** 68, 0.1];
    const table = createTable(
      numbers.map((n, at) => ({ id: `a.${at}`, geometry: null, box: null, properties: { n } })),
    );
    const zip = unzipSync(await new Response(encodeFeatures('shapefile', responseOf(table)).body).bytes());
    const rows = Buffer.from(zip[`${layer.name}.dbf`]!)
      .toString('latin1', 65, 65 + 4 * 25)
      .match(/.{25}/g);
    expect(rows?.map(Number)).toEqual(numbers);
  });
});
