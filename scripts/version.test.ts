import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { release, releasedText } from './release.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

it('every package has the newest version in VERSION, and requires the other packages in that version', () => {
  const [version = ''] = read('VERSION').split(/\s/, 1);
  const paths = ['package.json', ...globSync('{packages,examples}/*/package.json', { cwd: ROOT })];
  expect(paths.length).toBeGreaterThan(15);
  const lock = JSON.parse(read('package-lock.json')).packages;
  const other = paths.flatMap((path) => {
    const own = JSON.parse(read(path));
    const locked = lock[path.replace(/\/?package\.json$/, '')];
    const members = [own, own.dependencies, own.devDependencies, own.peerDependencies].map((each = {}) =>
      Object.entries(each).filter(([name]) => name === 'version' || name.startsWith('@headwater/')),
    );
    const named = [...members.flat(), ['lock', locked.version]];
    return named
      .filter(([name, text]) => text !== (name?.startsWith('@') ? `^${version}` : version))
      .map(([name, text]) => `${path}: ${name} ${text}`);
  });
  expect(other).toEqual([]);
});

it('every published package has the addresses of the root, keywords, its own folder and a licence', () => {
  const root = JSON.parse(read('package.json'));
  for (const path of globSync('packages/*/package.json', { cwd: ROOT })) {
    const { private: isPrivate, exports, homepage, bugs, repository, keywords, engines } = JSON.parse(read(path));
    if (isPrivate === true) continue;
    const folder = dirname(path);
    const own = { homepage: root.homepage, bugs: root.bugs, repository: { ...root.repository, directory: folder } };
    expect({ homepage, bugs, repository }, path).toEqual(own);
    expect([keywords.length > 1, engines.node], path).toEqual([true, expect.stringMatching(/^>=\d+\.\d+$/)]);
    // All files must be in one folder, because otherwise chunks do not find the files of worker threads.
    for (const [entry, target] of Object.entries<{ readonly default: string }>(exports))
      expect(target.default, path).toBe(`./dist/${entry === '.' ? 'index' : entry.slice(2)}.js`);
    expect(read(join(folder, 'LICENSE')), path).toBe(read('LICENSE'));
  }
});

it('a release adds its date and the changesets to the newest entry of VERSION if this entry has no date; otherwise it begins a new entry', () => {
  const change = "---\n'@headwater/stac': minor\n---\n\nPages: one line\nand another\n\nMigration: none\n";
  const lines = '- Pages: one line\n  and another\n- Migration: none\n';
  const release = { version: '0.2.0', date: '2026-12-01', changes: [change] };
  expect(releasedText('0.2.0 not released yet\n- A\n\n0.1.0 2026-11-21\n- B\n', release)).toBe(
    `0.2.0 2026-12-01\n- A\n${lines}\n0.1.0 2026-11-21\n- B\n`,
  );
  expect(releasedText('0.1.0 2026-11-21\n- B\n', release)).toBe(`0.2.0 2026-12-01\n${lines}\n0.1.0 2026-11-21\n- B\n`);
  expect(() => releasedText('0.1.0 2026-11-21\n- B\n', { ...release, changes: [] })).toThrow('add one');
});

it.each([
  [
    'begins a version',
    '0.1.0 2026-11-21\n- B\n',
    '0.1.0',
    /^0\.2\.0 \d{4}-\d\d-\d\d\n- A\n\n0\.1\.0 2026-11-21\n- B\n$/,
  ],
  ['has an entry already', '0.2.0 not released yet\n- B\n', '0.2.0', /^0\.2\.0 \d{4}-\d\d-\d\d\n- B\n- A\n$/],
])('a release that %s can be continued after a failure of each step', (_what, text, ...[version, expected]) => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, of: string): void => writeFileSync(join(folder, name), of);
  const manifests = ['package.json', 'packages/core/package.json', 'package-lock.json'];
  for (const name of ['.changeset', 'packages/core']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of manifests) write(name, `{"version": "${version}"}`);
  write('VERSION', text);
  write('.changeset/a.md', "---\n'@headwater/core': minor\n---\n\nA\n");
  const steps = { failing: '', done: [] as string[] };
  const step = (name: string): void => {
    if (name === steps.failing) throw new Error(`${name} failed`);
    steps.done.push(name);
  };
  const run = (...command: readonly string[]): void => {
    step(command.join(' '));
    if (command[0] === 'changeset') {
      write('packages/core/package.json', '{"version": "0.2.0"}');
      rmSync(join(folder, '.changeset/a.md'));
    }
    if (command[1] === 'install') write('package-lock.json', '{"version": "0.2.0"}');
  };
  const attempt = (failing = ''): void => {
    steps.failing = failing;
    release({ folder, run, pack: () => step('pack'), publish: () => step('publish') });
  };
  for (const failing of ['changeset version', 'npm install --package-lock-only'])
    if (version === '0.1.0') expect(() => attempt(failing)).toThrow(failing);
  for (const failing of ['npm run build', 'pack', 'publish']) {
    expect(() => attempt(failing)).toThrow(failing);
    expect(readFileSync(join(folder, 'VERSION'), 'utf8')).toMatch(/^0\.2\.0 not released yet\n/);
  }
  attempt();
  expect(readFileSync(join(folder, 'VERSION'), 'utf8')).toMatch(expected);
  expect(steps.done.filter((name) => name === 'publish')).toHaveLength(1);
  expect(globSync('.changeset/*', { cwd: folder })).toEqual([]);
  expect(() => attempt()).toThrow('add one');
});

it('the newest entry of VERSION says whether an upgrade ends sessions', () => {
  const [newest = ''] = read('VERSION').split(/^(?=\d+\.\d+\.\d+ )/m);
  const migration = newest.split(/^- /m).filter((line) => line.startsWith('Migration: '));
  expect(migration.join('')).toMatch(/sessions (of \S+ )?(end|stay)/);
});
