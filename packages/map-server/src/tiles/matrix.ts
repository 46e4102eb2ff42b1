import type { MapGrid } from '@headwater/core/ports';
import { ogcAbsent } from '../protocol/ogc-error.ts';

const EDGE = 20_037_508.342_789_244;
/** Greatest zoom. */
export const MOST_ZOOM = 24;
/** Side of a tile, pixels. */
export const TILE = 256;
/** Scale denominator of zoom 0 (OGC 17-083r4, annex D). */
const SCALE = 559_082_264.028_717_9;

/** A tile of WebMercatorQuad; columns from the west, rows from the north. */
export interface Tile {
  readonly zoom: number;
  readonly col: number;
  readonly row: number;
}

/** Parses the numbers of a tile. Throws 404 for a tile outside of the tile matrix set. */
export function tileOf(zoomText: string, colText: string, rowText: string): Tile {
  const [zoom, col, row] = [zoomText, colText, rowText].map((text) =>
    /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN,
  );
  if (
    zoom !== undefined &&
    col !== undefined &&
    row !== undefined &&
    zoom <= MOST_ZOOM &&
    col < 2 ** zoom &&
    row < 2 ** zoom
  )
    return { zoom, col, row };
  throw ogcAbsent(
    'TileOutOfRange',
    'tile',
    `tile: ${zoomText}/${colText}/${rowText} is not in WebMercatorQuad; zooms are 0 to ${MOST_ZOOM}, columns and rows 0 to 2^zoom - 1`,
  );
}

/** Grid of a tile; `side` in pixels. */
export function tileGrid({ zoom, col, row }: Tile, side: number): MapGrid {
  const size = (2 * EDGE) / 2 ** zoom;
  const pixel = size / side;
  return {
    crs: 'EPSG:3857',
    west: col * size - EDGE,
    north: EDGE - row * size,
    pixelWidth: pixel,
    pixelHeight: pixel,
    cols: side,
    rows: side,
  };
}

/** Smallest zoom with pixels of at most about `metres` on the equator. */
export function zoomOf(metres: number): number {
  const zoom = Math.ceil(Math.log2((2 * EDGE) / (TILE * metres)) - 0.01);
  return Math.min(MOST_ZOOM, Math.max(0, zoom));
}

/** Tiles of a zoom that a box in degrees touches. */
export function tilesIn(
  [west, south, east, north]: readonly [number, number, number, number],
  zoom: number,
): { readonly minCol: number; readonly maxCol: number; readonly minRow: number; readonly maxRow: number } {
  const count = 2 ** zoom;
  const clamp = (value: number): number => Math.min(count - 1, Math.max(0, Math.floor(value)));
  const col = (longitude: number): number => clamp(((longitude + 180) / 360) * count);
  const row = (latitude: number): number => {
    const limited = Math.min(85.051_128, Math.max(-85.051_128, latitude));
    return clamp(((1 - Math.asinh(Math.tan((limited * Math.PI) / 180)) / Math.PI) / 2) * count);
  };
  return { minCol: col(west), maxCol: col(east), minRow: row(north), maxRow: row(south) };
}

/** The tile matrix set WebMercatorQuad as JSON (OGC 17-083r4). */
export function webMercatorQuad(): object {
  return {
    id: 'WebMercatorQuad',
    title: 'Google Maps Compatible for the World',
    uri: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad',
    crs: 'http://www.opengis.net/def/crs/EPSG/0/3857',
    orderedAxes: ['X', 'Y'],
    wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
    tileMatrices: Array.from({ length: MOST_ZOOM + 1 }, (_, zoom) => ({
      id: String(zoom),
      scaleDenominator: SCALE / 2 ** zoom,
      cellSize: (2 * EDGE) / (TILE * 2 ** zoom),
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [-EDGE, EDGE],
      tileWidth: TILE,
      tileHeight: TILE,
      matrixWidth: 2 ** zoom,
      matrixHeight: 2 ** zoom,
    })),
  };
}
