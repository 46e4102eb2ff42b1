import type { DataStore } from '@headwater/core/ports';
import { createByteLimitedCache } from '@headwater/core/caching';
import { meanElevation } from '@headwater/indicators';
import { DEM_SHEET } from '../schemas/kyl-land.ts';

/** Mean elevations of tehsils, metres. */
export interface MeanElevations {
  of(tehsilId: number): Promise<number | undefined>;
}

const ENTRY_BYTES = 100;
const MOST_BYTES = 1024 * 1024;

/** Creates a cache of mean elevations. A table is read once per version. */
export function createMeanElevations(data: Pick<DataStore, 'tableHead' | 'table'>): MeanElevations {
  const cache = createByteLimitedCache<number, number | undefined>({
    mostBytes: MOST_BYTES,
    sizeOf: () => ENTRY_BYTES,
  });
  return {
    of: async (tehsilId) => {
      const head = await data.tableHead(tehsilId, DEM_SHEET);
      if (head === undefined) return undefined;
      const make = async (): Promise<number | undefined> =>
        meanElevation((await data.table(tehsilId, DEM_SHEET))?.rows ?? []);
      return await cache.of(tehsilId, { version: JSON.stringify([head.runId, head.version]), make });
    },
  };
}
