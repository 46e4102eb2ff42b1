import { type ComputedPlace, type Need, versionsOfNeeds } from '@headwater/core';
import type { NeedSources } from '@headwater/core/pipelines';
import { sha256 } from '@headwater/core/values';

/** The polygons of a place that a run computes. */
type PlacePolygons = Pick<ComputedPlace, 'clip' | 'mws'>;

/** Equal while the place has the same polygons and all else that is read (`read`, texts) is the same: for `Pipeline.inputs`; 64 hex digits. */
export const inputsOfPlace = ({ clip, mws }: PlacePolygons, ...read: readonly string[]): Promise<string> =>
  sha256(JSON.stringify([...read, clip, mws.map(({ uid }) => uid)]));

/** The same where all else is what is needed; as `versionsOfNeeds`, to be taken before the first of it is opened. Throws `missing_layer`. */
export const inputsOfNeeds = async (
  place: PlacePolygons,
  needs: readonly Need[],
  sources: NeedSources,
): Promise<string> => inputsOfPlace(place, await versionsOfNeeds(needs, sources));
