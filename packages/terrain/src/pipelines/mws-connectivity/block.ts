import { planeOf, type WholeBlock } from '@headwater/core/pixel-plan';
import { z } from 'zod';
import { createDem } from '../../dem/dem.ts';
import { accumulatedCells } from '../../hydrology/accumulate.ts';
import { edgeContamination } from '../../hydrology/edge-contamination.ts';
import { flowOf } from '../../hydrology/flow.ts';
import { connectZones, uncertainZones } from '../../zones/connectivity.ts';
import { zoneRings } from '../dem/elevation-about.ts';
import { zoneIndex } from '../dem/zone-index.ts';

/** Return value of `connectivityBlock`, by zone. */
export const connections = z.array(
  z.object({
    /**
     * Number (from 1) of the zone that gets most of this zone's water; 0 if most water leaves all zones, null if
     * unknown.
     */
    downstream: z.int().nullable(),
    /** Zones whose `downstream` is this zone. */
    upstream: z.array(z.int()),
    /** Direction from this zone to the receiving zone, as index into `DIRECTIONS` of `connectivity.ts`. */
    direction: z.int(),
  }),
);

/** Zones that give water to a zone, and the zone that receives its water. */
export type Connection = Readonly<z.infer<typeof connections>[number]>;

/**
 * Computes drainage between `zones` (lon/lat) from `heights` (m, with a margin). Returns a `Connection` for each zone.
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
