import { describe, expect, it } from 'vitest';
import { csvLabels } from './csv-labels.ts';
import { geojsonLabels } from './geojson-labels.ts';

const point = (coordinates: unknown, properties: unknown = { label: 'water' }): object => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties,
});
const SQUARE = [
  [78, 17],
  [79, 17],
  [79, 18],
  [78, 17],
];
const polygon = (coordinates: unknown): object => ({ ...point([0, 0]), geometry: { type: 'Polygon', coordinates } });
const collection = (...features: unknown[]): object => ({ type: 'FeatureCollection', features });

describe('labels of a GeoJSON file', () => {
  it('are points and polygons with their label and year', () => {
    const labels = geojsonLabels(
      collection(
        point([78.5, 17.5, 430], { class: 80, when: '2021', other: {} }),
        {
          ...point(0, { class: 'crop' }),
          geometry: {
            type: 'MultiPoint',
            coordinates: [
              [78, 17],
              [79, 18],
            ],
          },
        },
        { ...polygon([SQUARE]), properties: { class: 'x' } },
      ),
      { label: 'class', year: 'when' },
    );
    expect(labels.map(({ label, year, where, geometry }) => [label, year, where, geometry.type])).toEqual([
      [80, 2021, 'features[0]', 'Point'],
      ['crop', undefined, 'features[1]', 'Point'],
      ['crop', undefined, 'features[1]', 'Point'],
      ['x', undefined, 'features[2]', 'Polygon'],
    ]);
    expect(labels[0]?.geometry.coordinates).toEqual([78.5, 17.5]);
  });

  it.each<readonly [string, unknown, RegExp]>([
    ['no collection', point([78, 17]), /must be a GeoJSON FeatureCollection/],
    ['a list', [], /must be a GeoJSON FeatureCollection/],
    ['nothing', collection(), /features is empty/],
    ['no feature', collection(point([78, 17]), 7), /features\[1\]: type must be Feature/],
    ['no label', collection(point([78, 17], {})), /features\[0\]: properties\.label is missing/],
    ['no properties', collection(point([78, 17], null)), /features\[0\]: properties\.label is missing/],
    [
      'a label that is inherited from the prototype',
      collection(point([78, 17], JSON.parse('{"__proto__":{"label":1}}'))),
      /label is missing/,
    ],
    ['a list as label', collection(point([78, 17], { label: [1] })), /properties\.label must be a number or a text/],
    ['a year as a word', collection(point([78, 17], { label: 1, year: 'last' })), /properties\.year must be a year/],
    ['no geometry', collection({ ...point(0), geometry: null }), /features\[0\]: geometry\.type must be .* it is none/],
    ['a line', collection({ ...point(0), geometry: { type: 'LineString' } }), /it is "LineString"/],
    ['coordinates as texts', collection(point(['78', '17'])), /a position must be two numbers/],
    ['metres', collection(point([234_600, 1_938_600])), /metres of a projected CRS; convert with ogr2ogr/],
    ['latitude first', collection(point([17, 178])), /check that the two are not exchanged/],
    ['an open ring', collection(polygon([SQUARE.slice(0, 3).concat([[78, 18]])])), /ring 0 is open/],
    ['a short ring', collection(polygon([SQUARE.slice(0, 3)])), /ring 0 has 3 positions/],
    ['no ring', collection(polygon([])), /at least one ring/],
    [
      'another CRS',
      { ...collection(point([78, 17])), crs: { properties: { name: 'EPSG:32644' } } },
      /crs names another CRS/,
    ],
    [
      'another CRS of a feature',
      collection({ ...point([78, 17]), crs: { properties: { name: 'EPSG:4146' } } }),
      /features\[0\].*crs names another CRS/,
    ],
  ])('are refused, with the position of the fault: %s', (_, value, message) => {
    expect(() => geojsonLabels(value)).toThrow(message);
  });

  it('report the first five faults and the number of further faults', () => {
    const bad = Array.from({ length: 9 }, () => point([200, 0]));
    expect(() => geojsonLabels(collection(point([78, 17]), ...bad))).toThrow(
      /features\[1\].*features\[5\].*and 4 more$/,
    );
  });
});

describe('labels of a CSV file', () => {
  it('are read by the names of the columns, with quotes and all kinds of line ends', () => {
    const text = '\uFEFFid,Latitude,LON,label,year\r\n1,17.5,78.5,"crop, ""wet""",2021\r\n\r\n2,-17,+7.85e1,80,\n';
    expect(csvLabels(text)).toMatchObject([
      { label: 'crop, "wet"', year: 2021, where: 'line 2', geometry: { coordinates: [78.5, 17.5] } },
      { label: '80', year: undefined, where: 'line 4', geometry: { coordinates: [78.5, -17] } },
    ]);
    expect(csvLabels('lon,lat,label\n1,2,a\n3,4,"b\nc"\n5,6,d').map(({ where }) => where)).toEqual([
      'line 2',
      'line 3',
      'line 5',
    ]);
  });

  it.each<readonly [string, string, RegExp]>([
    ['nothing', '', /line 1: the heading has no column "lon"/],
    ['no heading', '78.5,17.5,crop\n', /line 1: the heading has no column "lon".*it is "78.5,17.5,crop"/],
    ['semicolons', 'lon;lat;label\n78;17;a\n', /separated by commas/],
    ['no line', 'lon,lat,label\n\n', /no line below its heading/],
    ['no number', 'lon,lat,label\n78,17,a\n78,,b\n', /line 3: lat "" is not a number/],
    ['decimal commas', 'lon,lat,label\n78,5,17,5,a\n', /line 2: the number of columns is 5, but the heading has 3/],
    ['infinity', 'lon,lat,label\nInfinity,17,a\n', /lon "Infinity" is not a number/],
    ['a hexadecimal', 'lon,lat,label\n0x10,17,a\n', /lon "0x10"/],
    ['swapped', 'lon,lat,label\n17,178,a\n', /line 2: 17, 178 is not longitude/],
    ['a blank label', 'lon,lat,label\n78,17, \n', /line 2: label must be|line 2: label is missing/],
    ['an open quote', 'lon,lat,label\n78,17,"a\n', /line 2: a quotation mark/],
    ['a column cut off', 'lon,lat,label,year\n78,17,a\n', /the number of columns is 3, but the heading has 4/],
  ])('are refused, with the line of the fault: %s', (_, text, message) => {
    expect(() => csvLabels(text)).toThrow(message);
  });

  it('are read from a long file', () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `${i % 180},${i % 90},${i % 7}`);
    expect(csvLabels(`lon,lat,label\n${lines.join('\n')}`)).toHaveLength(200_000);
  });
});
