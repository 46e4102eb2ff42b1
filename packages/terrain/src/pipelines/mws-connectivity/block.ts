import { planeOf, type WholeBlock } from '@headwater/core/pixel-plan';
import { z } from 'zod';
import { createDem } from '../../dem/dem.ts';
import { accumulatedCells } from '../../hydrology/accumulate.ts';
import { flowOf } from '../../hydrology/flow.ts';
import { connectZones } from '../../zones/connectivity.ts';
import { zoneRings } from '../dem/elevation-about.ts';
import { zoneIndex } from '../terrain-raster/zone-index.ts';

/** Return value of the block: one element per zone, in their order. */
export const connections = z.array(
  z.object({
    /**
     * Number (from 1) of the zone that receives most of its water. 0 if none does; null if it has no cell with a
     * height.
     */
    downstream: z.int().nullable(),
    /** Numbers of the zones that drain into it. */
    upstream: z.array(z.int()),
    /** Index into `DIRECTIONS`. */
    direction: z.int(),
  }),
);

/** Sources and target of a zone's water. */
export type Connection = Readonly<z.infer<typeof connections>[number]>;

/**
 * Finds the drainage from zone to zone. Input: `heights` (m, NaN = unknown), with a margin around the zones. Params: `zones`, rings of
 * each zone in lon/lat. No output plane; returns a `Connection` for each zone.
 */
export const connectivityBlock: WholeBlock = ({ grid, inputs, params, progress }) => {
  const dem = createDem({ grid, heights: planeOf(inputs, 'heights', 'float32') });
  const zones = zoneIndex(zoneRings.parse(params['zones']), grid);
  progress(0.1);
  const flow = flowOf(dem);
  progress(0.8);
  return connectZones(flow, accumulatedCells(flow), zones).map(
    ({ downstream, upstream, direction, gives }): Connection => ({
      downstream: gives.length === 0 ? null : downstream,
      upstream: [...upstream],
      direction,
    }),
  );
};
