import { fromUtm, utmZone } from '@headwater/core/geo';
import type { Position } from 'geojson';
import { z } from 'zod';
import { accumulatedAreas } from '../../hydrology/accumulate.ts';
import { clipPath } from '../../hydrology/clip-path.ts';
import { drainageLines, type Streams } from '../../hydrology/drainage.ts';
import type { Flow } from '../../hydrology/flow.ts';
import { outlineEdges } from '../../hydrology/outline-edges.ts';
import { GREATEST_ORDER } from '../../zones/stream-order-shares.ts';
import type { ZoneRings } from '../dem/elevation-about.ts';
import { zoneSpans } from '../terrain-raster/zone-index.ts';

const line = z.object({
  id: z.int(),
  order: z.int(),
  /** Line that it flows into, if that line is in the result. */
  downstream: z.int().nullable(),
  /** Length within the outlines. */
  lengthMetres: z.number(),
  /** Pixels and land that drain through its last pixel, also if that is outside of the outlines. */
  upstreamCells: z.int(),
  upstreamHectares: z.number(),
  /** Lon/lat, downstream; several pieces if it crosses an outline's border more than once. */
  pieces: z.array(z.array(z.array(z.number()))),
});

/** Return value of the block function of drainage lines. */
export const foundLines = z.object({
  lines: z.array(line),
  /**
   * Metres within each outline by order 1 to `GREATEST_ORDER`, `[outlines][orders]`. Greater orders are added to the
   * greatest.
   */
  metres: z.array(z.array(z.number())),
  /** True if a line, or the centre of any pixel with elevation, is in the outline, `[outlines]`. */
  known: z.array(z.boolean()),
});

/** Drainage lines within outlines, and their length in each outline. */
export type FoundLines = Readonly<z.infer<typeof foundLines>>;
type FoundLine = FoundLines['lines'][number];

const M2_PER_HA = 10_000;
/** Rounding of coordinates: 1e-8 degrees, a millimetre. */
const PER_DEGREE = 1e8;

/** Finds the drainage lines of streams that are in one or more outlines. */
export function findLines(streams: Streams, zones: readonly ZoneRings[]): FoundLines {
  const outlines = zones.map(outlineEdges);
  const areas = accumulatedAreas(streams.flow);
  const byOrder = zones.map(() => new Float64Array(GREATEST_ORDER));
  const toLonLat = lonLatOf(streams.flow.grid.crs);
  const lines: FoundLine[] = [];
  for (const { id, order, downstream = null, lastCell, upstreamCells, geometry } of drainageLines(streams)) {
    const { pieces, inside, length } = clipPath(geometry.coordinates.map(toLonLat), outlines);
    if (pieces.length === 0) continue;
    const at = Math.min(order, GREATEST_ORDER) - 1;
    for (const { outline, metres } of inside) {
      const sums = byOrder[outline]!;
      sums[at] = sums[at]! + metres;
    }
    lines.push({
      id,
      order,
      downstream,
      lengthMetres: length,
      upstreamCells,
      upstreamHectares: areas[lastCell]! / M2_PER_HA,
      pieces: pieces.map((piece) => [...piece]),
    });
  }
  const ids = new Set(lines.map(({ id }) => id));
  return {
    lines: lines.map((each) =>
      each.downstream === null || ids.has(each.downstream) ? each : { ...each, downstream: null },
    ),
    metres: byOrder.map((sums) => [...sums]),
    // An outline may be too narrow to contain a pixel centre. A line inside of it also shows that there are elevations.
    known: byOrder.map((sums, at) => sums.some((length) => length > 0) || hasElevation(zones[at]!, streams.flow)),
  };
}

function hasElevation(zone: ZoneRings, { grid, filled }: Flow): boolean {
  for (const [from, to] of zoneSpans(zone, grid)) {
    for (let at = from; at < to; at += 1) if (!Number.isNaN(filled[at])) return true;
  }
  return false;
}

/** Converts a point of the grid's CRS to lon/lat, rounded, so that lengths match the published coordinates. */
function lonLatOf(crs: string): (point: Position) => Position {
  const zone = utmZone(crs);
  const rounded = (value: number): number => Math.round(value * PER_DEGREE) / PER_DEGREE;
  return ([x = NaN, y = NaN]) => (zone === undefined ? [x, y] : fromUtm(zone, x, y)).map(rounded);
}
