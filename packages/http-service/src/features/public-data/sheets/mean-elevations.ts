import type { DataStore } from '@headwater/core/ports';
import { createByteLimitedCache } from '../../../caching/byte-limited-cache.ts';
import { meanElevation } from '@headwater/indicators';
import { DEM_SHEET } from '../schemas/kyl-land.ts';

/** Elevations of tehsils, beside which their micro-watersheds are high or low. */
export interface MeanElevations {
  /** Mean of a tehsil's micro-watersheds in metres; undefined where no table tells. */
  of(tehsilId: number): Promise<number | undefined>;
}

/** About what an entry takes: some ten thousand tehsils are kept. */
const ENTRY_BYTES = 100;
const MOST_BYTES = 1024 * 1024;

/** Reads the elevations of a tehsil once for each version of their table. */
export function createMeanElevations(data: Pick<DataStore, 'tableHead' | 'table'>): MeanElevations {
  const kept = createByteLimitedCache<number, number | undefined>({ mostBytes: MOST_BYTES, sizeOf: () => ENTRY_BYTES });
  return {
    of: async (tehsilId) => {
      const head = await data.tableHead(tehsilId, DEM_SHEET);
      if (head === undefined) return undefined;
      const make = async (): Promise<number | undefined> =>
        meanElevation((await data.table(tehsilId, DEM_SHEET))?.rows ?? []);
      return await kept.of(tehsilId, { version: JSON.stringify([head.runId, head.version]), make });
    },
  };
}
