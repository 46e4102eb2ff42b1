// Compares the repository with the limits in scripts/budgets.json. `--write` sets the limits to the measured values.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import esbuild from '@size-limit/esbuild';
import file from '@size-limit/file';
import sizeLimit from 'size-limit';
import { exportedNames } from './exported-names.mjs';

const BUDGETS = 'scripts/budgets.json';
const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8'));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));
const linesOf = (path) => readFileSync(path, 'utf8').split('\n').length - 1;
const isTest = (path) => /\.(test|test-d|fixture|test-helper)\.ts$/.test(path);

/** Shipped sources, without tests, fixtures and suites. */
const sources = files.filter(
  (path) =>
    /^(packages|examples)\/[^/]+\/src\/.*\.ts$/.test(path) &&
    !isTest(path) &&
    !/^packages\/testkit(-internal)?\//.test(path),
);

const sum = (list) => list.reduce((total, path) => total + linesOf(path), 0);

async function measure() {
  const small = sources.filter((path) => linesOf(path) < 25).length;
  return {
    'exported names': Object.fromEntries(
      exportedNames('.').map(({ name, entry, names }) => [name + entry.slice(1), names.length]),
    ),
    lines: Object.fromEntries(
      Object.keys(budgets.lines).map((path) => [
        path,
        sum(files.filter((each) => each === path || each.startsWith(`${path}/src/`))),
      ]),
    ),
    'loose files': Object.fromEntries(
      Object.keys(budgets['loose files']).map((folder) => [folder, looseFiles(folder)]),
    ),
    files: { sources: sources.length, 'percent below 25 lines': Math.ceil((100 * small) / sources.length) },
    'KB of a bundled entry': await bundles(),
  };
}

const looseFiles = (folder) =>
  sources.filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/')).length;

/** Minified size (KB) of the main entry of each public package, with dependencies but without peer dependencies. */
async function bundles() {
  const manifests = readdirSync('packages').map((folder) => ({
    folder: join('packages', folder),
    manifest: JSON.parse(readFileSync(join('packages', folder, 'package.json'), 'utf8')),
  }));
  // Test kits have no main entry, and users do not ship them.
  const published = manifests.filter(({ manifest }) => manifest.private !== true && '.' in manifest.exports);
  const checks = published.map(({ folder, manifest }) => {
    return {
      files: [join(process.cwd(), folder, manifest.exports['.'].default)],
      brotli: false,
      // The drawing library is a binary for each platform, which cannot be bundled.
      ignore: [...Object.keys(manifest.peerDependencies ?? {}), '@napi-rs/canvas'],
      modifyEsbuildConfig: (config) => ({ ...config, platform: 'node', format: 'esm', logLevel: 'error' }),
      name: manifest.name,
    };
  });
  const sizes = await sizeLimit([...esbuild, ...file], { checks });
  return Object.fromEntries(checks.map(({ name }, index) => [name, Math.ceil(sizes[index].size / 1000)]));
}

const measured = await measure();
const over = [];
for (const [section, values] of Object.entries(measured)) {
  for (const [name, value] of Object.entries(values)) {
    const limit = budgets[section]?.[name];
    if (limit === undefined) over.push(`${section}: ${name} has ${value} and no budget; add one to ${BUDGETS}`);
    else if (value > limit) over.push(`${section}: ${name} has ${value}, its budget is ${limit}`);
  }
}

if (process.argv.includes('--write')) {
  writeFileSync(BUDGETS, `${JSON.stringify({ ...budgets, ...measured }, null, 2)}\n`);
  console.log(`wrote the measured values to ${BUDGETS}`);
} else {
  for (const line of over) console.error(line);
  console.log(
    over.length === 0
      ? 'all budgets are met'
      : `Make it smaller, or raise the budget in ${BUDGETS} and give the reason in the commit message.`,
  );
  process.exit(over.length === 0 ? 0 : 1);
}
