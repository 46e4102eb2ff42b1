import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { isLong } from './scripts/test-length.mjs';
import { BROWSER_SUITES, JUDGED_SUITES, LAYER_SUITES, SLOW_SUITES } from './scripts/slow-suites.mjs';

const isWhole = process.env['HEADWATER_SLOW_SUITES'] === 'on';
if (!isWhole) {
  console.log(`left to npm run test:kills: ${SLOW_SUITES.join(', ')}`);
  console.log(`left to npm run test:layers: ${LAYER_SUITES.join(', ')}`);
  console.log(`left to npm run test:browser: ${BROWSER_SUITES.join(', ')}`);
}

const ALL = [
  'packages/*/src/**/*.test.ts',
  'examples/*/src/**/*.test.ts',
  'e2e/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
];
const left = isWhole ? [] : [...SLOW_SUITES, ...LAYER_SUITES, ...BROWSER_SUITES];
if (process.env['HEADWATER_PEER_SUITES'] !== 'on') {
  console.log(`left to npm run test:peers: ${JUDGED_SUITES.join(', ')}`);
  left.push(...JUDGED_SUITES);
}
// A run that names a PostgreSQL is about that one; `npm test` runs what the embedded database is tested by.
if ((process.env['HEADWATER_TEST_PG'] ?? '') !== '') left.push('packages/postgres/src/embedded/**');

/**
 * Packages whose tests share a process, and with it the modules that are loaded: their tests leave nothing behind. So do the
 * end-to-end tests, whose servers are in processes of their own or closed at the end. A file
 * of the other packages and folders has a process of its own: it starts databases, or changes the flags of V8.
 */
const SHARED_PROCESS = [
  'accuracy',
  'core',
  'cql2',
  'http-service',
  'identity',
  'ingest',
  'land-cover',
  'indicators',
  'layer-kit',
  'net',
  'orchestrator-backend',
  'orchestrator-client',
  'sample-world',
  'server',
  'stac',
  'stac-cli',
  'terrain',
].map((name) => `packages/${name}/src/**/*.test.ts`);
SHARED_PROCESS.push('e2e/**/*.test.ts', 'packages/raster/src/{compare,warp,zonal}/**/*.test.ts');

if (!isLong)
  console.log(
    'left to npm run test:long: most repetitions of seeded cases (what sized() in scripts/test-length.mjs gives)',
  );

// Servers, commands and threads that tests start keep what Node compiled of their modules: loading a server takes 1 s of a processor, not 2.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'headwater-tests');

// Nothing may depend on the zone of a process: tests run in one that is not UTC, nor a whole number of hours from it.
process.env['TZ'] ??= 'Asia/Kolkata';

export default defineConfig({
  resolve: { conditions: ['@headwater/source'] },
  ssr: { resolve: { conditions: ['@headwater/source'] } },
  test: {
    // The longest cases need 10 s of a processor, which on a crowded machine may take minutes: the limit is for what hangs.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What is waited for comes, or the test fails: on a crowded machine the second that vitest gives is soon over.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // Left to itself vitest keeps one core free: on a machine of two that is half of it, and most end-to-end tests wait for a server of their own.
    maxWorkers: '100%',
    execArgv: ['--conditions=@headwater/source'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: SHARED_PROCESS,
          exclude: [...configDefaults.exclude, ...left],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALL, exclude: [...configDefaults.exclude, ...SHARED_PROCESS, ...left] },
      },
    ],
  },
});
