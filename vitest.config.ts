import { configDefaults, defineConfig } from 'vitest/config';
import { BROWSER_SUITES, LAYER_SUITES, SLOW_SUITES } from './scripts/slow-suites.mjs';

const isWhole = process.env['HEADWATER_SLOW_SUITES'] === 'on';
if (!isWhole) {
  console.log(`left to npm run test:kills: ${SLOW_SUITES.join(', ')}`);
  console.log(`left to npm run test:layers: ${LAYER_SUITES.join(', ')}`);
  console.log(`left to npm run test:browser: ${BROWSER_SUITES.join(', ')}`);
}

export default defineConfig({
  resolve: { conditions: ['@headwater/source'] },
  ssr: { resolve: { conditions: ['@headwater/source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'examples/*/src/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    exclude: [...configDefaults.exclude, ...(isWhole ? [] : [...SLOW_SUITES, ...LAYER_SUITES, ...BROWSER_SUITES])],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes, or the test fails: on a crowded machine the second that vitest gives is soon over.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    execArgv: ['--conditions=@headwater/source'],
  },
});
