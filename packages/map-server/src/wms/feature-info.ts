import { type Cql2Geometry, geometriesIntersect } from '@headwater/cql2';
import type { MapGrid, MapLayer, MapRequest } from '@headwater/core/ports';
import { openLayer, rasterSymbolOf } from '../drawing/drawing.ts';
import { boxOfGrid } from '../drawing/draw-shapes.ts';
import type { FeatureBox, MapFeature } from '../features/feature-table.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { wholeNumber } from '../protocol/map-parameters.ts';
import type { ColorMap, LayerStyle } from '../styles/style-model.ts';
import { gridOfMap, layersOf, versionOf } from './map-request.ts';

interface PointValue {
  readonly value: number | null;
  /** Label of the value in the style; null if there is none. */
  readonly label: string | null;
}

const JSON_FORMATS: ReadonlySet<string> = new Set(['application/json', 'application/geo+json', 'json']);

/** GetFeatureInfo: raster values and vector features at a pixel of a map. */
export const featureInfo: Protocol = async (parts, request) => {
  const { query } = request;
  const format = (query['info_format'] ?? 'text/plain').toLowerCase();
  if (format !== 'text/plain' && !JSON_FORMATS.has(format))
    throw ogcError(
      'InvalidFormat',
      'info_format',
      `info_format: ${JSON.stringify(format.slice(0, 60))} is not offered; send application/json or text/plain`,
    );
  const point = pointOf(gridOfMap(query), query);
  const most = query['feature_count'] === undefined ? 1 : wholeNumber(query, 'feature_count', [1, MOST_FEATURES]);
  const layers = await layersOf(parts, request, 'query_layers');
  const found: Found[] = [];
  for (const layer of layers)
    found.push(
      layer.kind === 'vector'
        ? { layer, features: (await featuresAt(parts, layer, point)).slice(0, most) }
        : { layer, ...(await valueAt(parts, layer, point)) },
    );
  if (format === 'text/plain') {
    const body = found.flatMap(linesOf).join('');
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
  }
  const features = found.flatMap(geoJsonOf);
  const body = {
    type: 'FeatureCollection',
    features,
    numberReturned: features.length,
    timeStamp: new Date().toISOString(),
  };
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
};

type Found = { readonly layer: MapLayer } & (PointValue | { readonly features: readonly MapFeature[] });

const MOST_FEATURES = 100;

function linesOf(found: Found): readonly string[] {
  const { name } = found.layer;
  if (!('features' in found)) {
    const { value, label } = found;
    return [`${name}: ${value ?? 'no data'}${label === null ? '' : ` (${label})`}\n`];
  }
  if (found.features.length === 0) return [`${name}: no feature\n`];
  const cell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  return found.features.flatMap(({ id, properties }) => [
    `${id}\n`,
    ...Object.entries(properties).map(([column, value]) => `  ${column}: ${cell(value)}\n`),
  ]);
}

function geoJsonOf(found: Found): readonly object[] {
  if ('features' in found)
    return found.features.map(({ id, geometry, properties }) => ({ type: 'Feature', id, geometry, properties }));
  const { layer, value, label } = found;
  return value === null ? [] : [{ type: 'Feature', id: layer.name, geometry: null, properties: { value, label } }];
}

/** Maximum distance of a feature from the clicked pixel, pixels. So lines and points need not be clicked exactly. */
const REACH_PX = 4;

/** Features under a pixel. If there are none: features within `REACH_PX` of it. The topmost feature is first. */
async function featuresAt(parts: EmbeddedParts, layer: MapLayer, point: MapGrid): Promise<readonly MapFeature[]> {
  const table = await parts.tables.of(layer);
  const boxAround = (reach: number): FeatureBox =>
    boxOfGrid({
      ...point,
      west: point.west - reach * point.pixelWidth,
      north: point.north + reach * point.pixelHeight,
      cols: 1 + 2 * reach,
      rows: 1 + 2 * reach,
    });
  const touching = (box: FeatureBox): readonly MapFeature[] =>
    table
      .inBox(box)
      .flatMap((index) => table.features[index] ?? [])
      .filter(({ geometry }) => geometry !== null && geometriesIntersect(geometry, polygonOf(box)));
  const under = touching(boxAround(0));
  return (under.length > 0 ? under : touching(boxAround(REACH_PX))).toReversed();
}

function polygonOf([west, south, east, north]: FeatureBox): Cql2Geometry {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

function pointOf(grid: MapGrid, query: MapRequest['query']): MapGrid {
  const [column, row] = versionOf(query) === '1.3.0' ? (['i', 'j'] as const) : (['x', 'y'] as const);
  // Some clients send the parameter names of another version, so the names of both versions are read.
  const named = {
    ...query,
    [column]: query[column] ?? query['i'] ?? query['x'] ?? '',
    [row]: query[row] ?? query['j'] ?? query['y'] ?? '',
  };
  const [col, down] = [wholeNumber(named, column, [0, grid.cols - 1]), wholeNumber(named, row, [0, grid.rows - 1])];
  return {
    ...grid,
    west: grid.west + col * grid.pixelWidth,
    north: grid.north - down * grid.pixelHeight,
    cols: 1,
    rows: 1,
  };
}

async function valueAt(parts: EmbeddedParts, layer: MapLayer, point: MapGrid): Promise<PointValue> {
  const style = await parts.styles.of(layer);
  const raster = await openLayer(parts, layer);
  const [sample = Number.NaN] = await raster.samples(point);
  const { nodata, scaling, type } = raster;
  const empty = nodata !== null && type === 'float32' ? Math.fround(nodata) : nodata;
  if (sample === empty || !Number.isFinite(sample)) return { value: null, label: null };
  const value = scaling === null ? sample : sample * scaling.scale + scaling.offset;
  return { value, label: labelOf(style, value) };
}

/** Label of a class; null for a ramp, whose labels describe only its stops. */
function labelOf(style: LayerStyle | null, value: number): string | null {
  const map: ColorMap | null = rasterSymbolOf(style)?.colors ?? null;
  if (map === null || map.type === 'ramp') return null;
  const entry = map.entries.find((each) => (map.type === 'values' ? each.value === value : value < each.value));
  return entry === undefined || entry.label === '' ? null : entry.label;
}
