import { planeOf, type WholeBlock } from '@headwater/core/pixel-plan';
import { z } from 'zod';
import { createDem } from '../../dem/dem.ts';
import { accumulatedCells } from '../../hydrology/accumulate.ts';
import { edgeContamination } from '../../hydrology/edge-contamination.ts';
import { flowOf } from '../../hydrology/flow.ts';
import { connectZones, uncertainZones } from '../../zones/connectivity.ts';
import { zoneRings } from '../dem/elevation-about.ts';
import { zoneIndex } from '../dem/zone-index.ts';

/** Return value of `connectivityBlock`: one element per zone, in the order of the zones. */
export const connections = z.array(
  z.object({
    /**
     * Number (from 1) of the zone that receives most of this zone's water. 0 if most of this water leaves all zones.
     * Null if this zone has no cell with a height, or if water from land without heights may change the result.
     */
    downstream: z.int().nullable(),
    /** Numbers of the zones whose `downstream` is this zone. */
    upstream: z.array(z.int()),
    /** Direction from this zone to `downstream`, as index into `DIRECTIONS`. */
    direction: z.int(),
  }),
);

/** Connections of a zone: the zone that receives its water, and the zones that give it water. */
export type Connection = Readonly<z.infer<typeof connections>[number]>;

/**
 * Computes the drainage between zones. Input: `heights` (m, NaN = unknown), with a margin around the zones. Parameter
 * `zones`: rings of each zone in lon/lat. Writes no plane; returns a `Connection` for each zone.
 */
export const connectivityBlock: WholeBlock = ({ grid, inputs, params, progress }) => {
  const dem = createDem({ grid, heights: planeOf(inputs, 'heights', 'float32') });
  const zones = zoneIndex(zoneRings.parse(params['zones']), grid);
  progress(0.1);
  const flow = flowOf(dem);
  progress(0.8);
  const found = connectZones(flow, accumulatedCells(flow), zones);
  const uncertain = uncertainZones({ flow, unseen: edgeContamination(flow) }, zones, found);
  return found.map(({ zone, downstream, upstream, direction, gives }): Connection => ({
    downstream: gives.length === 0 || uncertain.has(zone) ? null : downstream,
    upstream: upstream.filter((giver) => !uncertain.has(giver)),
    direction,
  }));
};
