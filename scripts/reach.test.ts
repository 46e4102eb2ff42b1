import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STARTED, testsReachedBy } from './reach.mjs';

it('the search finds tests through imports, through packages, and through the server that a test starts', () => {
  const tests = testsReachedBy(['packages/stac/src/ids/slug.ts']);
  expect(tests).toContain('packages/stac/src/ids/slug.test.ts');
  expect(tests).toContain('packages/stac-cli/src/main.test.ts');
  expect(tests).toContain('e2e/first-start.test.ts');
  expect(tests).not.toContain('packages/accuracy/src/matrix/confusion-matrix.test.ts');
});

it('a changed migration affects the tests of stores, a changed document those of documents, and vitest.config.ts all tests', () => {
  const [migration = ''] = STARTED['packages/postgres/src/migrate.ts'] ?? [];
  expect(testsReachedBy([migration])).toContain('packages/testkit-internal/src/stores/stores.test.ts');
  expect(testsReachedBy(['docs/configuration.md'])).toContain('scripts/doc-paths.test.ts');
  expect(testsReachedBy(['docs/configuration.md'])).not.toContain('packages/stac/src/ids/slug.test.ts');
  expect(testsReachedBy(['vitest.config.ts']).length).toBeGreaterThan(500);
});

it('the list of started files names only files that exist', () => {
  const files = Object.entries(STARTED).flat(2);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
