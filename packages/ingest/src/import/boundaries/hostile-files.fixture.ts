import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { box, type ImportBench, importBench, type Sample } from './import-files.fixture.ts';

export const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
/** Valid sample features, from which hostile files are made. */
export const GOOD: readonly Sample[] = [{ properties: NAMES, rings: [box(78, 17)] }];

/** Test tools for files that must be refused. */
export interface HostileBench extends ImportBench {
  /** Imports a file that must be refused; returns the message. Fails if the import stored a boundary or left a file. */
  readonly refusal: (name: string, kind?: 'places' | 'mws') => Promise<string>;
}

/** Creates the tools of a test file. */
export function hostileBench(): HostileBench {
  const bench = importBench();
  return Object.assign(bench, {
    refusal: async (name: string, kind: 'places' | 'mws' = 'places') => {
      const message = await bench.run(kind, name).then(
        (report) => `accepted: ${JSON.stringify(report)}`,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      expect([await bench.stores.places.states(), await readdir(bench.scratch)]).toEqual([[], []]);
      return message;
    },
  });
}
