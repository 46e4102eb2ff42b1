import { rgb } from '@headwater/layer-kit';
import { pointTransform } from '@headwater/raster';
import type { Geometry, Position } from 'geojson';
import type { StoredRaster, StyledLayer } from './every-layer.fixture.ts';

/** Red, green, blue and alpha, 0-255. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

const TRANSPARENT: Color = [0, 0, 0, 0];

/** Colour of a pixel value (sample) in the style of the layer. */
function colorOf({ paint, nodata }: StoredRaster, sample: number): Color {
  if (Object.is(sample, nodata)) return TRANSPARENT;
  if (paint === 'classes') return CLASS_COLORS[sample] ?? TRANSPARENT;
  // Without a style, black is the sample 0 and white is 255; with a ramp, black is 100 and white is 300.
  const grey = paint === 'grey' ? sample : Math.min(255, Math.max(0, ((sample - 100) / 200) * 255));
  return [grey, grey, grey, 255];
}

const CLASS_COLORS: readonly Color[] = [TRANSPARENT, [0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 255]];

/**
 * Returns the expected colour at a point of a raster; undefined if a pixel within `margin` pixels has another sample.
 */
export function rasterColor(layer: StoredRaster, [lon = 0, lat = 0]: Position, margin = 1): Color | undefined {
  const { grid, bands } = layer;
  const [x, y] = pointTransform('EPSG:4326', grid.crs)(lon, lat);
  const [col, row] = [(x - grid.west) / grid.pixelWidth, (grid.north - y) / grid.pixelHeight];
  const sampleAt = (across: number, down: number): number | undefined =>
    across < 0 || down < 0 || across >= grid.cols || down >= grid.rows
      ? undefined
      : bands[0]?.[Math.floor(down) * grid.cols + Math.floor(across)];
  const sample = sampleAt(col, row);
  for (let across = -margin; across <= margin; across += 1) {
    for (let down = -margin; down <= margin; down += 1)
      if (!Object.is(sampleAt(col + across, row + down), sample)) return undefined;
  }
  return sample === undefined ? TRANSPARENT : colorOf(layer, sample);
}

/** Returns the expected colour at a point of a polygon layer; undefined within `margin` degrees of an edge. */
export function polygonColor(
  { features, style }: StyledLayer,
  [lon = 0, lat = 0]: Position,
  margin: number,
): Color | undefined {
  const featureAt = (x: number, y: number) =>
    features.find(({ geometry }) => {
      if (geometry?.type === 'Polygon') return covers(geometry.coordinates, x, y);
      return geometry?.type === 'MultiPolygon' && geometry.coordinates.some((rings) => covers(rings, x, y));
    });
  const feature = featureAt(lon, lat);
  for (let i = 0; i < 9; i += 1) {
    const [across, down] = [(i % 3) - 1, Math.floor(i / 3) - 1];
    if (featureAt(lon + across * margin, lat + down * margin) !== feature) return undefined;
  }
  return feature === undefined ? TRANSPARENT : valueColor(style, feature.properties[style.attribute]);
}

/** Returns middles and colours of the symbols of a layer of points or lines. */
export function symbolColors({ features, style }: StyledLayer): readonly (readonly [place: Position, color: Color])[] {
  return features.flatMap(({ geometry, properties }) => {
    const place = geometry === null ? undefined : onGeometry(geometry);
    return place === undefined ? [] : [[place, valueColor(style, properties[style.attribute])] as const];
  });
}

function onGeometry(geometry: Geometry): Position | undefined {
  if (geometry.type === 'Point') return geometry.coordinates;
  const line = geometry.type === 'MultiLineString' ? geometry.coordinates[0] : undefined;
  const [first, second] = geometry.type === 'LineString' ? geometry.coordinates : (line ?? []);
  return first === undefined || second === undefined
    ? undefined
    : [(first[0]! + second[0]!) / 2, (first[1]! + second[1]!) / 2];
}

/** Returns the colour of a value; transparent for a missing value, because no rule selects it. */
export function valueColor({ limits, colors }: StyledLayer['style'], value: unknown): Color {
  if (typeof value !== 'number') return TRANSPARENT;
  const step = limits.findLastIndex((limit) => value >= limit);
  return [...rgb(colors[step] ?? '#000000'), 255];
}

function covers(rings: readonly (readonly Position[])[], x: number, y: number): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (const [at, [x1 = 0, y1 = 0]] of ring.entries()) {
      const [x2 = 0, y2 = 0] = ring[at + 1] ?? [x1, y1];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
  }
  return isInside;
}

/** Returns true if a pixel of a symbol has this colour. It may be partly transparent, as at the edges of thin lines. */
export const isSymbolColor = ([r, g, b, a]: Color, color: Color): boolean =>
  a > 100 && colorDistance([r, g, b, 255], color) <= 6;

/** Returns the largest difference of two colours in a channel; 0 for two transparent colours. */
export function colorDistance([r, g, b, a]: Color, [r2, g2, b2, a2]: Color): number {
  if (a === 0 && a2 === 0) return 0;
  return Math.max(Math.abs(r - r2), Math.abs(g - g2), Math.abs(b - b2), Math.abs(a - a2));
}
