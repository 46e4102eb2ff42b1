import { BaseSequencer } from 'vitest/node';

/**
 * Ends of the paths of the test files that run longest. These files are small, because their test cases are in suites
 * or repeat one case. Without the times of an earlier run, vitest starts small files last. One core would then be idle
 * for half a minute at the end.
 */
const LONGEST = [
  'testkit-internal/src/http/fetch.test.ts',
  'testkit-internal/src/stores/stores.test.ts',
  'testkit-internal/src/http/hostile/fetch.test.ts',
  'testkit-internal/src/http/fastify.test.ts',
  'testkit-internal/src/http/express.test.ts',
  'testkit-internal/src/imports/imports.test.ts',
  'ingest/src/assets/bucket/publications.test.ts',
  'raster/src/plan/estimate-reads.test.ts',
  'ingest/src/import/kml/read-kml.test.ts',
  'server/src/command.test.ts',
  'server/src/create-server.test.ts',
  'ingest/src/import/boundaries/ring-directions.test.ts',
].map((path) => `packages/${path}`);

/** Rank of a file: its index in the list. All other files have the same rank, after the list. */
const rankOf = ({ moduleId }) => {
  const index = LONGEST.findIndex((path) => moduleId.endsWith(path));
  return index < 0 ? LONGEST.length : index;
};

/** Order of test files in each project: first the files of the list above, then all other files in the order of vitest. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).sort((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}
