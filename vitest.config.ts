import { defineConfig } from 'vitest/config';

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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    execArgv: ['--conditions=@headwater/source'],
  },
});
