import type { ComputedPlace } from '@headwater/core';
import { sha256 } from '@headwater/core/values';

/** Equal while the place has the same polygons and all else that is read (`read`, texts) is the same: for `Pipeline.inputs`; 64 hex digits. */
export const inputsOfPlace = (
  { clip, mws }: Pick<ComputedPlace, 'clip' | 'mws'>,
  ...read: readonly string[]
): Promise<string> => sha256(JSON.stringify([...read, clip, mws.map(({ uid }) => uid)]));
