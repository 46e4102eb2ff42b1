import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { IMAGE_SUITES, LAYER_SUITES, MAP_SUITES, PEER_SUITES, STORAGE_SUITES } from './slow-suites.mjs';

const SCRIPTS = [
  'test-peers.mjs',
  'test-browser.mjs',
  'peers.mjs',
  'stac-api-judges.mjs',
  'slow-suites.mjs',
  'missing.mjs',
  'test-length.mjs',
];

/** Folder with a copy of the scripts, without peers. PATH is only `bin`, which has a test runner but no Python. */
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-judges-'));
  for (const name of ['checkout/scripts', 'bin']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of SCRIPTS) copyFileSync(join(import.meta.dirname, name), join(folder, 'checkout/scripts', name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(name: string, vitest: number, env: NodeJS.ProcessEnv) {
  writeFileSync(join(folder, 'bin/vitest'), `#!${process.execPath}\nprocess.exit(${String(vitest)});\n`, {
    mode: 0o755,
  });
  const PATH = join(folder, 'bin');
  const script = join(folder, 'checkout/scripts', name);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    env: { PATH, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it.each([
  [0, {}, 0],
  [0, { CI: 'false' }, 0],
  [0, { CI: 'true' }, 1],
  [3, {}, 3],
  [3, { CI: 'true' }, 3],
])(
  'without judges, the script turns exit code %j of the runner under %j into exit code %j',
  (vitest, env, expected) => {
    const { status, stdout, stderr } = run('test-peers.mjs', vitest, env);
    for (const judge of ['peers', 'stac-geoparquet', 'STAC API', 'Django'])
      expect(stdout).toContain(`tests are skipped, because a program is missing: ${judge}: `);
    expect(status).toBe(expected);
    if ('CI' in env && env.CI === 'true') expect(stderr).toMatch(/is a failure: peers: .+; STAC API: /);
    else expect(stderr).toBe('');
  },
);

it('a short run prints the variants that only the long run reads', () => {
  expect(run('test-peers.mjs', 0, {}).stdout).toContain(
    'left to npm run test:long: 284 of 300 tiffs that GDAL writes\n',
  );
  const long = run('test-peers.mjs', 0, { HEADWATER_LONG: 'on' });
  expect(long.stdout).not.toContain('left to npm run test:long');
});

it('a missing browser is a failure under CI', () => {
  const found = { CI: 'true', HEADWATER_CHROMIUM: process.execPath };
  expect(run('test-browser.mjs', 0, found)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(run('test-browser.mjs', 0, { CI: 'true', HEADWATER_CHROMIUM: join(folder, 'none') }).status).toBe(1);
});

const JUDGES = /HEADWATER_PEERS_PYTHON|HEADWATER_JUDGE_|\/(?:peers|stac-api-judges)\.mjs'/;
/** True if a test file, or one of its fixtures, looks for a judge. */
function hasJudges(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const fixtures = [...text.matchAll(/ from '(\.[^']+\.fixture\.ts)'/g)];
  return JUDGES.test(text) || fixtures.some(([, name = '']) => hasJudges(resolve(dirname(path), name), seen));
}

it('every test file that looks for a judge runs in test:peers, test:layers, test:mapserver, test:images or test:storage', () => {
  const root = join(import.meta.dirname, '..');
  const judged = globSync('{packages/*/src,examples/*/src,e2e}/**/*.test.ts', { cwd: root }).filter((path) =>
    hasJudges(join(root, path)),
  );
  expect(judged.length).toBeGreaterThan(10);
  const left = judged.filter(
    (path) =>
      ![...PEER_SUITES, ...MAP_SUITES, ...IMAGE_SUITES, ...STORAGE_SUITES].some((suite) => path.includes(suite)),
  );
  expect(LAYER_SUITES).toEqual(expect.arrayContaining(left));
});
