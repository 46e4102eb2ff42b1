import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.mjs';
import { isLong } from './scripts/test-length.mjs';
import {
  BROWSER_SUITES,
  CHAOS_SUITES,
  HOSTILE_SUITES,
  IMAGE_SUITES,
  JUDGED_SUITES,
  KILL_SUITES,
  LAYER_SUITES,
  MAP_SUITES,
  STORAGE_SUITES,
} from './scripts/slow-suites.mjs';

const isWhole = process.env['HEADWATER_SLOW_SUITES'] === 'on';
if (!isWhole) {
  console.log(`left to npm run test:kills: ${KILL_SUITES.join(', ')}`);
  console.log(`left to npm run test:hostile: ${HOSTILE_SUITES.join(', ')}`);
  console.log(`left to npm run test:layers: ${LAYER_SUITES.join(', ')}`);
  console.log(`left to npm run test:chaos: ${CHAOS_SUITES.join(', ')}`);
  console.log(`left to npm run test:browser: ${BROWSER_SUITES.join(', ')}`);
}

const ALL = [
  'packages/*/src/**/*.test.ts',
  'examples/*/src/**/*.test.ts',
  'e2e/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
  'docs/site/*.test.ts',
];
const left = isWhole ? [] : [...KILL_SUITES, ...HOSTILE_SUITES, ...LAYER_SUITES, ...BROWSER_SUITES, ...CHAOS_SUITES];
if (process.env['HEADWATER_PEER_SUITES'] !== 'on') {
  console.log(`left to npm run test:peers: ${JUDGED_SUITES.join(', ')}`);
  left.push(...JUDGED_SUITES);
}
if (process.env['HEADWATER_MAP_SUITES'] !== 'on') {
  console.log(`left to npm run test:mapserver: ${MAP_SUITES.join(', ')}`);
  left.push(...MAP_SUITES.map((folder) => `${folder}**`));
}
if (process.env['HEADWATER_STORAGE_SUITES'] !== 'on') {
  console.log(`left to npm run test:storage: ${STORAGE_SUITES.join(', ')}`);
  left.push(...STORAGE_SUITES);
}
if (process.env['HEADWATER_IMAGE_SUITES'] !== 'on') {
  console.log(`left to npm run test:images: ${IMAGE_SUITES.join(', ')}`);
  left.push(...IMAGE_SUITES.map((folder) => `${folder}**`));
}
// If HEADWATER_TEST_PG is set, tests use that PostgreSQL and skip the embedded database.
if ((process.env['HEADWATER_TEST_PG'] ?? '') !== '') left.push('packages/postgres/src/embedded/**');

/** Test files with their own process, because they change or measure the whole process. Others share processes. */
const OWN_PROCESS = [
  'packages/http-service/src/features/runs/handlers/run-events.test.ts',
  'packages/testkit-internal/src/http/third-language.test.ts',
  'packages/testkit-internal/src/faults/**/*.test.ts',
  'packages/postgres/src/embedded/**/*.test.ts',
  'packages/raster/src/plan/workers/**/*.test.ts',
  'packages/raster/src/tiff/**/*.test.ts',
];

if (!isLong)
  console.log(
    'left to npm run test:long: most repetitions of seeded cases (sized() in scripts/test-length.mjs sets their number)',
  );

// With this cache, a server loads in 1 s of processor time instead of 2 s.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'headwater-tests');

// No result may depend on the time zone; the offset of this zone is not a whole number of hours.
process.env['TZ'] ??= 'Asia/Kolkata';

export default defineConfig({
  resolve: { conditions: ['@headwater/source'] },
  ssr: { resolve: { conditions: ['@headwater/source'] } },
  test: {
    // This limit only ends tests that hang. A test may take minutes on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // The default of a second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // By default vitest leaves a core free. vitest ignores more than 100 %.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    execArgv: ['--conditions=@headwater/source'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ALL,
          exclude: [...configDefaults.exclude, ...OWN_PROCESS, ...left],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: OWN_PROCESS, exclude: [...configDefaults.exclude, ...left] },
      },
    ],
  },
});
