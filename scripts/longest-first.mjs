import { BaseSequencer } from 'vitest/node';

/**
 * Test files that run longest. vitest would start them last, because the files are small, and a core would be idle at
 * the end.
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

const rankOf = ({ moduleId }) => {
  const index = LONGEST.findIndex((path) => moduleId.endsWith(path));
  return index < 0 ? LONGEST.length : index;
};

/** Sorts the test files of each project: first those in `LONGEST`, then all others in vitest's order. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).sort((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}
