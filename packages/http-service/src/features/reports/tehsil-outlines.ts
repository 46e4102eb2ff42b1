import { setImmediate as nextTurn } from 'node:timers/promises';
import { boxOf, type Outline, type PlaceStore } from '@headwater/core';
import type { PlaceLookups } from '@headwater/core/ports';
import { sha256 } from '@headwater/core/values';
import { createByteLimitedCache } from '../../caching/byte-limited-cache.ts';
import { mapExtent } from '../../layers/map-extent.ts';
import { type DrawnOutlines, frameOf, outlinePath } from './page/outline-map.ts';

/** Maps of tehsils with their micro-watersheds, drawn. */
export interface TehsilOutlines {
  /** The map of a tehsil; undefined where no outline is known, or none that can be drawn to scale. */
  of(tehsilId: number): Promise<DrawnOutlines | undefined>;
}

/** Half of it is the largest that is kept: some five thousand outlines of a few hundred points that fall apart on a picture. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Outlines that are drawn before others get their turn. */
const AT_ONCE = 50;

interface Sources {
  readonly lookups: Pick<PlaceLookups, 'mwsVersion'>;
  readonly places: Pick<PlaceStore, 'mwsOf' | 'placeOfTehsil'>;
}

/** Draws the micro-watersheds of a tehsil once for each version of them and of the box around it. */
export function createTehsilOutlines({ lookups, places }: Sources): TehsilOutlines {
  const kept = createByteLimitedCache<number, DrawnOutlines | undefined>({
    mostBytes: MOST_BYTES,
    sizeOf: (map) => 100 + (map === undefined ? 0 : map.own.length + map.near.join('').length),
  });
  return {
    of: async (tehsilId) => {
      const boundary = (await places.placeOfTehsil(tehsilId))?.tehsil.geometry ?? undefined;
      const version = JSON.stringify([await lookups.mwsVersion(tehsilId), boundary ?? null]);
      const make = async () =>
        await drawn(
          boundary,
          (await places.mwsOf(tehsilId)).map(({ geometry }) => geometry),
        );
      return await kept.of(tehsilId, { version: await sha256(version), make });
    },
  };
}

async function drawn(boundary: Outline | undefined, mws: readonly Outline[]): Promise<DrawnOutlines | undefined> {
  const all = boundary === undefined ? mws : [boundary, ...mws];
  if (all.length === 0) return undefined;
  const box = boxOf(all);
  const extent = mapExtent({ bbox: box });
  if (extent === undefined) return undefined;
  const frame = frameOf({ box, extent });
  const near: string[] = [];
  for (const [index, outline] of mws.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    near.push(outlinePath(outline, frame));
  }
  return { extent, own: boundary === undefined ? '' : outlinePath(boundary, frame), near };
}
