import type { MapColumn, MapLayer } from '@headwater/core/ports';
import type { Geometry } from 'geojson';
import { boxOfGeometry, createTable, type FeatureTable } from '../features/feature-table.ts';
import type { FeatureResponse } from './request.ts';
import { createTurns } from '../protocol/turns.ts';

export const URL_OF_SERVER = 'https://example.org/geoserver';

/** A layer with names and values that some formats must escape. */
export const layer: MapLayer = {
  workspace: 'mws_layers',
  name: 'deltaG_fortnight_sample',
  title: 'Sample',
  abstract: 'Sample layer',
  kind: 'vector',
  version: 'v1',
  isLasting: false,
  box: [0, 0, 1, 1],
  interval: { start: '2021-07-01T00:00:00Z', end: '2022-06-30T00:00:00Z' },
  assetKey: 'run/1/sample.geojson',
  sldKey: null,
  qmlKey: null,
  columns: [],
  geometryName: 'the_geom',
  itemHref: null,
};

const outer = [
  [85.1, 24.5],
  [85.9, 24.5],
  [85.9, 25.25],
  [85.1, 25.25],
  [85.1, 24.5],
];
const hole = [
  [85.3, 24.7],
  [85.3, 24.9],
  [85.5, 24.9],
  [85.5, 24.7],
  [85.3, 24.7],
];
const away = outer.map(([x = 0, y = 0]) => [x + 1, y - 1.125]);

/** One geometry of each kind; each geometry with polygons has a hole. */
export const GEOMETRIES: Readonly<Record<string, Geometry>> = {
  Point: { type: 'Point', coordinates: [85.123456789, 24.987654321] },
  LineString: { type: 'LineString', coordinates: [...hole.slice(0, 3), [-70.5, -33.25]] },
  Polygon: { type: 'Polygon', coordinates: [outer, hole] },
  MultiPoint: { type: 'MultiPoint', coordinates: hole.slice(0, 2) },
  MultiLineString: { type: 'MultiLineString', coordinates: [hole.slice(0, 2), away.slice(1, 4)] },
  MultiPolygon: { type: 'MultiPolygon', coordinates: [[outer, hole], [away]] },
  GeometryCollection: {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [85.5, 24.5] },
      { type: 'Polygon', coordinates: [outer, hole] },
    ],
  },
};

const MONSOON = '\u091c\u0932 & <b>"x"</b>, line 1\nline 2';

/** All types of values, invalid XML names, and long names that become equal when cut. */
export const PROPERTIES = [
  { uid: '12_1', '2021-07-01': 1.5, area_in_ha: 812.25, count: 7, is_wet: true, name: MONSOON, drought_weeks_2021: 3 },
  { uid: "12_2,'b'", '2021-07-01': -2e-7, area_in_ha: 3, count: null, is_wet: false, drought_weeks_2022: 2 ** 40 },
  { uid: '12_3', '2021-07-01': null, क्षेत्र: 'ok', list: [1, { a: 'b' }] },
] as const;

/** A table of these geometries; features cycle through `PROPERTIES`. */
export function tableOf(geometries: readonly (Geometry | null)[], known: readonly MapColumn[] = []): FeatureTable {
  return createTable(
    geometries.map((geometry, at) => ({
      id: `${layer.name}.${at + 1}`,
      geometry,
      box: boxOfGeometry(geometry),
      properties: PROPERTIES[at % PROPERTIES.length]!,
    })),
    known,
  );
}

/** A response with all features of a table. */
export function responseOf(table: FeatureTable, more: Partial<FeatureResponse> = {}): FeatureResponse {
  return {
    layer,
    table,
    features: table.features,
    columns: table.columns,
    version: '2.0.0',
    srs: 'EPSG:4326',
    axis: 'xy',
    numberMatched: table.features.length,
    timeStamp: new Date('2026-11-20T12:46:22.520Z'),
    url: URL_OF_SERVER,
    ...more,
  };
}

/** Time slices of a request whose client stays connected. */
export const TURN = createTurns()(new AbortController().signal);
