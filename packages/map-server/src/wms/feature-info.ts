import type { MapGrid, MapLayer, MapRequest } from '@headwater/core/ports';
import { drawVector, openLayer, rasterSymbolOf } from '../drawing/drawing.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { wholeNumber } from '../protocol/map-parameters.ts';
import type { ColorMap, LayerStyle } from '../styles/style-model.ts';
import { gridOfMap, layersOf, versionOf } from './map-request.ts';

/** Value of a raster at a point; null without data. */
interface PointValue {
  readonly value: number | null;
  /** Meaning of the value by the style; null if the style has none. */
  readonly label: string | null;
}

const JSON_FORMATS: ReadonlySet<string> = new Set(['application/json', 'application/geo+json', 'json']);

/** The values of raster layers at a pixel of a map. */
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
  const layers = await layersOf(parts, request, 'query_layers');
  const found: (PointValue & { readonly layer: MapLayer })[] = [];
  for (const layer of layers) found.push({ layer, ...(await valueAt(parts, layer, point)) });
  if (format === 'text/plain') {
    const lines = found.map(
      ({ layer, value, label }) => `${layer.name}: ${value ?? 'no data'}${label === null ? '' : ` (${label})`}\n`,
    );
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: lines.join('') };
  }
  const features = found.flatMap(({ layer, value, label }) =>
    value === null ? [] : [{ type: 'Feature', id: layer.name, geometry: null, properties: { value, label } }],
  );
  const body = {
    type: 'FeatureCollection',
    features,
    numberReturned: features.length,
    timeStamp: new Date().toISOString(),
  };
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
};

/** The grid of one pixel: the one that was clicked. */
function pointOf(grid: MapGrid, query: MapRequest['query']): MapGrid {
  const [column, row] = versionOf(query) === '1.3.0' ? (['i', 'j'] as const) : (['x', 'y'] as const);
  // Some clients send the names of the other version.
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
  if (layer.kind === 'vector') await drawVector(layer, point, style);
  const raster = await openLayer(parts, layer);
  const [sample = Number.NaN] = await raster.samples(point);
  const { nodata, scaling, type } = raster;
  const empty = nodata !== null && type === 'float32' ? Math.fround(nodata) : nodata;
  if (sample === empty || !Number.isFinite(sample)) return { value: null, label: null };
  const value = scaling === null ? sample : sample * scaling.scale + scaling.offset;
  return { value, label: labelOf(style, value) };
}

/** Label of a class; null for values of ramps, whose labels describe only the stops. */
function labelOf(style: LayerStyle | null, value: number): string | null {
  const map: ColorMap | null = rasterSymbolOf(style)?.colors ?? null;
  if (map === null || map.type === 'ramp') return null;
  const entry = map.entries.find((each) => (map.type === 'values' ? each.value === value : value < each.value));
  return entry === undefined || entry.label === '' ? null : entry.label;
}
