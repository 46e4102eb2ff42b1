import type { Box, ComputedPlace, PipelinePorts, PixelEngine, WorkContext } from '@headwater/core';
import { planeOf, type WholeBlock } from '@headwater/core/pixel-plan';
import { z } from 'zod';
import { createDem } from '../../dem/dem.ts';
import { edgeContamination, SIDES } from '../../hydrology/edge-contamination.ts';
import { flowOf } from '../../hydrology/flow.ts';
import { zoneIndex } from './zone-index.ts';
import { evenMargins, grown, latticeGrid, type Margins } from './dem-grid.ts';
import { ringsOf, zoneRings } from './elevation-about.ts';
import { type DemRead, MOST_PIXELS, readDem } from './read-dem.ts';
import { runBlock } from './run-block.ts';

/** First margin, m; contains the whole catchment of a small stream. */
const FIRST_MARGIN = 5000;
/** Greatest margin, m; limits the time for reading distant elevations. */
const LAST_MARGIN = 160_000;

/**
 * Margins that a side of a window may have. A stored result is valid as long as the elevations in these margins are
 * unchanged.
 */
export const FLOW_MARGINS: readonly [number, ...number[]] = [FIRST_MARGIN, 10_000, 20_000, 40_000, 80_000, LAST_MARGIN];

/** Reason why a window was not widened further. */
export type WindowEnd = 'complete' | 'elevation_ends' | 'size_limit';

const inflow = z.object({
  /**
   * `known`: number of the place's pixels with a height. `contaminated`: number of known pixels that water from
   * outside may reach.
   */
  known: z.int(),
  contaminated: z.int(),
  sides: z.int(),
});

/** Window of a flow computation, and the share of the place with an incomplete catchment. */
export interface FlowWindow {
  readonly margins: Margins;
  readonly end: WindowEnd;
  /** Percentage that unseen water may reach, of the place's pixels with a height. */
  readonly percent: number;
}

/** Counts a place's pixels that unseen water may reach, from `heights` (m) and `zones` (lon/lat). Writes no plane. */
export const inflowBlock: WholeBlock = ({ grid, inputs, params, progress }): z.infer<typeof inflow> => {
  const dem = createDem({ grid, heights: planeOf(inputs, 'heights', 'float32') });
  const { zones } = zoneIndex(zoneRings.parse(params['zones']), grid);
  progress(0.1);
  const reached = edgeContamination(flowOf(dem));
  const found = { known: 0, contaminated: 0, sides: 0 };
  for (let at = 0; at < zones.length; at += 1) {
    if (zones[at] === 0 || Number.isNaN(dem.heights[at])) continue;
    found.known += 1;
    if (reached[at] === 0) continue;
    found.contaminated += 1;
    found.sides |= reached[at]!;
  }
  return found;
};

type FlowPorts = Pick<PipelinePorts, 'elevation' | 'remedies'> & {
  readonly pixels: Pick<PixelEngine, 'gridOf' | 'read' | 'whole' | 'release'>;
};

/**
 * Reads the heights of a place for flow. Starts with a margin of 5 km, and doubles each side from which unseen water
 * may come.
 */
export async function readFlowWindow(
  job: Pick<ComputedPlace, 'box' | 'clip'>,
  { ports, work }: { readonly ports: FlowPorts; readonly work: WorkContext },
): Promise<{ readonly dem: DemRead; readonly window: FlowWindow }> {
  const params = { zones: job.clip.map(ringsOf) };
  let margins = evenMargins(FIRST_MARGIN);
  let dem = await readDem(job.box, { ports, work, margins });
  // A network error during a wider read fails the attempt. Otherwise the size of the window would depend on the
  // network.
  try {
    for (;;) {
      const block = { name: 'inflowBlock', params, outputs: [] };
      const { value } = await runBlock(block, { dem, ports }, work);
      const { known, contaminated, sides } = inflow.parse(value);
      const percent = known === 0 ? 0 : (100 * contaminated) / known;
      const next = nextMargins({ dem, margins, sides }, job.box);
      if (typeof next === 'string') return { dem, window: { margins, end: next, percent } };
      const wider = await readDem(job.box, { ports, work, margins: next, narrower: dem });
      const narrower = dem.heights;
      [dem, margins] = [wider, next];
      await ports.pixels.release([narrower]);
    }
  } catch (error) {
    // Releases the heights, because the caller does not get them. An error of the release would hide the first error.
    await ports.pixels.release([dem.heights]).catch(() => {});
    throw error;
  }
}

function nextMargins(
  { dem, margins, sides }: { readonly dem: DemRead; readonly margins: Margins; readonly sides: number },
  box: Box,
): Margins | WindowEnd {
  if (sides === 0) return 'complete';
  const wider = widened(margins, sides);
  if (wider === undefined) return (sides & ~SIDES.gap) === 0 ? 'elevation_ends' : 'size_limit';
  const { cols, rows } = latticeGrid(dem.lattice.grid, grown(box, wider), dem.lattice.step);
  return cols * rows > MOST_PIXELS ? 'size_limit' : wider;
}

const ORDER = [SIDES.north, SIDES.east, SIDES.south, SIDES.west];

function widened(margins: Margins, sides: number): Margins | undefined {
  const next = margins.map((metres, at) => ((sides & ORDER[at]!) === 0 ? metres : Math.min(2 * metres, LAST_MARGIN)));
  const [north = 0, east = 0, south = 0, west = 0] = next;
  return next.every((metres, at) => metres === margins[at]) ? undefined : [north, east, south, west];
}
