import { fromUtm, utmZone } from '@headwater/core/geo';
import type { Position } from 'geojson';
import { z } from 'zod';
import { accumulatedAreas } from '../../hydrology/accumulate.ts';
import { clipPath } from '../../hydrology/clip-path.ts';
import { drainageLines, type Streams } from '../../hydrology/drainage.ts';
import { edgeContamination } from '../../hydrology/edge-contamination.ts';
import type { Flow } from '../../hydrology/flow.ts';
import { outlineEdges } from '../../hydrology/outline-edges.ts';
import { GREATEST_ORDER } from '../../zones/stream-order-shares.ts';
import type { ZoneRings } from '../dem/elevation-about.ts';
import { zoneSpans } from '../dem/zone-index.ts';

const line = z.object({
  id: z.int(),
  /** Strahler order; null if unseen water may reach the line. */
  order: z.int().nullable(),
  /** Id of the next line downstream; null if the result has no such line. */
  downstream: z.int().nullable(),
  /** Length within the outlines, m. */
  lengthMetres: z.number(),
  /**
   * Number of pixels that drain through the line's last pixel, and their area in hectares; null if the order is null.
   */
  upstreamCells: z.int().nullable(),
  upstreamHectares: z.number().nullable(),
  /** Parts inside of the outlines, lon/lat, downstream. */
  pieces: z.array(z.array(z.array(z.number()))),
});

/** Return value of the block function of drainage lines. */
export const foundLines = z.object({
  lines: z.array(line),
  /** Metres of streams by outline and order, `[outlines][orders]`. The last order includes greater orders. */
  metres: z.array(z.array(z.number())),
  /** Metres of streams of unknown order by outline, `[outlines]`. */
  unknownMetres: z.array(z.number()),
  /** True for an outline with a line, or with a pixel that has elevation. */
  known: z.array(z.boolean()),
});

/** Drainage lines within outlines, and their lengths. */
export type FoundLines = Readonly<z.infer<typeof foundLines>>;
type FoundLine = FoundLines['lines'][number];

const M2_PER_HA = 10_000;
/** Coordinates are rounded to about a millimetre. */
const PER_DEGREE = 1e8;

/** Finds the drainage lines that are at least partly in an outline. */
export function findLines(streams: Streams, zones: readonly ZoneRings[]): FoundLines {
  const outlines = zones.map(outlineEdges);
  const areas = accumulatedAreas(streams.flow);
  const unseen = edgeContamination(streams.flow);
  const byOrder = zones.map(() => new Float64Array(GREATEST_ORDER));
  const unknownMetres = zones.map(() => 0);
  const toLonLat = lonLatOf(streams.flow.grid.crs);
  const lines: FoundLine[] = [];
  for (const { id, order, downstream = null, lastCell, upstreamCells, geometry } of drainageLines(streams, unseen)) {
    const { pieces, inside, length } = clipPath(geometry.coordinates.map(toLonLat), outlines);
    if (pieces.length === 0) continue;
    const at = Math.min(order, GREATEST_ORDER) - 1;
    // A line ends where unseen water joins, so the last cell shows if unseen water may reach any cell of the line.
    const isKnown = unseen[lastCell] === 0;
    for (const { outline, metres } of inside) {
      if (isKnown) byOrder[outline]![at]! += metres;
      else unknownMetres[outline]! += metres;
    }
    lines.push({
      id,
      order: isKnown ? order : null,
      downstream,
      lengthMetres: length,
      upstreamCells: isKnown ? upstreamCells : null,
      upstreamHectares: isKnown ? areas[lastCell]! / M2_PER_HA : null,
      pieces: pieces.map((piece) => [...piece]),
    });
  }
  const ids = new Set(lines.map(({ id }) => id));
  return {
    lines: lines.map((each) =>
      each.downstream === null || ids.has(each.downstream) ? each : { ...each, downstream: null },
    ),
    metres: byOrder.map((sums) => [...sums]),
    unknownMetres,
    // A narrow outline without a pixel centre may still contain a line.
    known: byOrder.map(
      (sums, at) =>
        unknownMetres[at]! > 0 || sums.some((length) => length > 0) || hasElevation(zones[at]!, streams.flow),
    ),
  };
}

function hasElevation(zone: ZoneRings, { grid, filled }: Flow): boolean {
  for (const [from, to] of zoneSpans(zone, grid)) {
    for (let at = from; at < to; at += 1) if (!Number.isNaN(filled[at])) return true;
  }
  return false;
}

/**
 * Returns a function that converts positions of the CRS to lon/lat. Rounds them, so that lengths match the published
 * coordinates.
 */
function lonLatOf(crs: string): (point: Position) => Position {
  const zone = utmZone(crs);
  const rounded = (value: number): number => Math.round(value * PER_DEGREE) / PER_DEGREE;
  return ([x = NaN, y = NaN]) => (zone === undefined ? [x, y] : fromUtm(zone, x, y)).map(rounded);
}
