import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { box, type ImportBench, importBench, type Sample } from './import-files.fixture.ts';

export const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
/** What hostile files are made of, or stands in them beside what is wrong. */
export const GOOD: readonly Sample[] = [{ properties: NAMES, rings: [box(78, 17)] }];

/** A bench that is given files which must not be taken. */
export interface HostileBench extends ImportBench {
  /** The message of a file that is refused as a whole; nothing of it may be stored or left behind. */
  readonly refusal: (name: string, kind?: 'places' | 'mws') => Promise<string>;
}

/** Sets the bench up for the tests of a file. */
export function hostileBench(): HostileBench {
  const bench = importBench();
  return Object.assign(bench, {
    refusal: async (name: string, kind: 'places' | 'mws' = 'places') => {
      const told = await bench.run(kind, name).then(
        (report) => `accepted: ${JSON.stringify(report)}`,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      expect([await bench.stores.places.states(), await readdir(bench.scratch)]).toEqual([[], []]);
      return told;
    },
  });
}
