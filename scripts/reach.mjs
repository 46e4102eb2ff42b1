// Finds the test files that a change can affect: through imports, named files and started processes.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Files that can affect every test. */
const EVERYWHERE =
  /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig[^/]*\.json|((packages|examples)\/[^/]+|e2e)\/(package|tsconfig)\.json)$/;
const CODE = /\.(ts|mts|mjs)$/;
const TEST = /\.test\.ts$/;

/** Files that are started or read, but not named by a literal: starting file -> started files. */
export const STARTED = {
  'e2e/server-process.ts': ['packages/server/src/start.ts'],
  'packages/postgres/src/migrate.ts': globSync('packages/postgres/migrations/*.sql'),
};

function graph() {
  const files = globSync(
    [
      'packages/*/src/**/*.ts',
      'examples/*/src/**/*.ts',
      'e2e/**/*.ts',
      'scripts/**/*.{ts,mjs}',
      'bench/**/*.ts',
      'docs/site/*.ts',
    ],
    { exclude: ['e2e/dist/**'] },
  );
  return new Map(files.map((file) => [file, [...loaded(file), ...(STARTED[file] ?? [])]]));
}

function loaded(file) {
  const found = [];
  for (const [, , text] of readFileSync(file, 'utf8').matchAll(/(['"`])([@./\w-]+)\1/g)) {
    const path = text.startsWith('@headwater/') ? ofPackage(text) : inFolder(file, text);
    if (path !== undefined) found.push(path);
  }
  return found;
}

function inFolder(file, text) {
  if (!CODE.test(text) && !text.startsWith('.')) return undefined;
  // Code names workers without an extension, so `.ts` is added.
  const path = normalize(join(dirname(file), CODE.test(text) ? text : `${text}.ts`));
  return existsSync(path) ? path : undefined;
}

function ofPackage(name) {
  const [, short = '', rest] = /^@headwater\/([^/]+)(\/.*)?$/.exec(name) ?? [];
  const folder = join('packages', short);
  if (!existsSync(join(folder, 'package.json'))) return undefined;
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const source = exports?.[`.${rest ?? ''}`]?.['@headwater/source'];
  return source === undefined ? undefined : normalize(join(folder, source));
}

let graphOfSources;

/** Returns the test files that changes of these files can affect, sorted; paths relative to the root. */
export function testsReachedBy(changed) {
  const loads = (graphOfSources ??= graph());
  const tests = [...loads.keys()].filter((file) => TEST.test(file)).sort((a, b) => a.localeCompare(b));
  if (changed.some((file) => EVERYWHERE.test(file))) return tests;
  const reached = new Set(changed);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const [file, needed] of loads) if (needed.some((each) => reached.has(each))) reached.add(file);
  }
  // A changed file that is not code may be read by tests in its package and in scripts/.
  const read = changed
    .filter((file) => !CODE.test(file))
    .map((file) => /^(?:(?:packages|examples)\/[^/]+|e2e)\//.exec(file)?.[0]);
  const isNear = (test) =>
    test.startsWith('scripts/') || read.some((folder) => folder !== undefined && test.startsWith(folder));
  return tests.filter((test) => reached.has(test) || (read.length > 0 && isNear(test)));
}
