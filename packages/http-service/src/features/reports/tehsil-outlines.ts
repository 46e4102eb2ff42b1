import { setImmediate as nextTurn } from 'node:timers/promises';
import { boxOf, type Mws, type Outline, type PlaceStore } from '@headwater/core';
import type { PlaceLookups } from '@headwater/core/ports';
import { sha256 } from '@headwater/core/values';
import { createByteLimitedCache } from '@headwater/core/caching';
import { mapExtent } from '../../layers/map-extent.ts';
import { type DrawnArea, type DrawnOutlines, frameOf, outlinePath } from './page/outline-map.ts';

/** Maps of tehsils with their micro-watersheds, as SVG paths. */
export interface TehsilOutlines {
  of(tehsilId: number): Promise<DrawnOutlines | undefined>;
}

/** Size of the cache, bytes. A map of at most half this size is cached, such as five thousand outlines. */
const MOST_BYTES = 32 * 1024 * 1024;
const OUTLINES_PER_PAUSE = 50;

interface Sources {
  readonly lookups: Pick<PlaceLookups, 'mwsVersion'>;
  readonly places: Pick<PlaceStore, 'mwsOf' | 'placeOfTehsil'>;
}

/** Creates the cache of maps. A map is drawn again if outlines have changed. */
export function createTehsilOutlines({ lookups, places }: Sources): TehsilOutlines {
  const cache = createByteLimitedCache<number, DrawnOutlines | undefined>({
    mostBytes: MOST_BYTES,
    sizeOf: (map) =>
      100 +
      (map === undefined
        ? 0
        : map.own.length + map.near.reduce((sum, { uid, path }) => sum + uid.length + path.length + 50, 0)),
  });
  return {
    of: async (tehsilId) => {
      const boundary = (await places.placeOfTehsil(tehsilId))?.tehsil.geometry ?? undefined;
      const version = JSON.stringify([await lookups.mwsVersion(tehsilId), boundary ?? null]);
      const make = async () => await drawn(boundary, await places.mwsOf(tehsilId));
      return await cache.of(tehsilId, { version: await sha256(version), make });
    },
  };
}

async function drawn(boundary: Outline | undefined, mws: readonly Mws[]): Promise<DrawnOutlines | undefined> {
  const outlines = mws.map(({ geometry }) => geometry);
  const all = boundary === undefined ? outlines : [boundary, ...outlines];
  if (all.length === 0) return undefined;
  const box = boxOf(all);
  const extent = mapExtent({ bbox: box });
  if (extent === undefined) return undefined;
  const frame = frameOf({ box, extent });
  const near: DrawnArea[] = [];
  for (const [index, { uid, geometry }] of mws.entries()) {
    if (index % OUTLINES_PER_PAUSE === OUTLINES_PER_PAUSE - 1) await nextTurn();
    near.push({ uid, path: outlinePath(geometry, frame) });
  }
  return { extent, own: boundary === undefined ? '' : outlinePath(boundary, frame), near };
}
