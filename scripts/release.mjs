// `npm run release -- --dry-run`: packs the packages and prints the entry of VERSION. `npm run release`: publishes the
// packages; after a failure, run it again.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packAll } from './pack-packages.mjs';

const OUT = 'dist-packages';
const NOT_RELEASED = 'not released yet';
const UNRELEASED = /^(\S+) not released yet$/m;

/** A changeset is a list of packages, followed by the text for VERSION. */
const changesets = (folder) =>
  globSync('.changeset/*.md', { cwd: folder })
    .sort()
    .map((file) => join(folder, file));

/** Each paragraph of a changeset is a change. */
function linesOf(changeset) {
  const text = changeset.replace(/^---\n[^]*?\n---\n/, '').trim();
  return text === '' ? [] : text.split(/\n\s*\n/).map((paragraph) => `- ${paragraph.replace(/\n\s*/g, '\n  ')}`);
}

/** Text of VERSION after the release. Throws if there is nothing to release. */
export function releasedText(text, { version, date, changes }) {
  const lines = changes.flatMap(linesOf);
  if (UNRELEASED.test(text)) {
    const [head, ...older] = text.split(/\n(?=\d+\.\d+\.\d+ )/);
    const newest = [head.trimEnd().replace(UNRELEASED, `$1 ${date}`), ...lines].join('\n');
    return `${[newest, ...older].join('\n\n').trimEnd()}\n`;
  }
  if (lines.length === 0) throw new Error('VERSION: every entry is released, and .changeset/ has no change; add one');
  return `${[`${version} ${date}`, ...lines].join('\n')}\n\n${text}`;
}

function run(command, ...args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

/** Writes the changes to VERSION as an entry without a date, so that a failed release can continue. */
function beginVersion({ folder, run }) {
  const path = (name) => join(folder, name);
  const text = readFileSync(path('VERSION'), 'utf8');
  const root = readFileSync(path('package.json'), 'utf8');
  const { version } = JSON.parse(root);
  if (!UNRELEASED.test(text)) {
    const changes = changesets(folder).map((file) => readFileSync(file, 'utf8'));
    // Throws if there are no changes, before anything is written.
    releasedText(text, { version, date: NOT_RELEASED, changes });
    run('changeset', 'version');
    const next = versionIn(path('packages/core/package.json'));
    writeFileSync(path('package.json'), root.replace(`"version": "${version}"`, `"version": "${next}"`));
    writeFileSync(path('VERSION'), releasedText(text, { version: next, date: NOT_RELEASED, changes }));
    for (const file of changesets(folder)) rmSync(file);
  }
  if (versionIn(path('package-lock.json')) === versionIn(path('package.json'))) return;
  run('npm', 'install', '--package-lock-only');
  run('node', 'scripts/complete-lock.mjs');
}

const versionIn = (file) => JSON.parse(readFileSync(file, 'utf8')).version;

/** Throws if the packages still have placeholder addresses. */
function checkAddress() {
  const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (homepage.includes('.example'))
    throw new Error(
      `homepage: ${homepage} is a placeholder; write your address in repository, homepage and bugs of package.json and of every package`,
    );
}

function publish(packed) {
  for (const { manifest, tarball } of packed) {
    const { name, version } = manifest;
    const known = spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' });
    if (known.stdout.trim() === version) console.log(`${name} ${version} is published already`);
    else run('npm', 'publish', resolve(tarball), '--access', 'public');
  }
}

/** Builds, packs and publishes the packages, then writes date and changes to VERSION. */
export function release({ folder, run, pack, publish }) {
  beginVersion({ folder, run });
  run('npm', 'run', 'build');
  publish(pack());
  const files = changesets(folder);
  const changes = files.map((file) => readFileSync(file, 'utf8'));
  const file = join(folder, 'VERSION');
  const version = versionIn(join(folder, 'package.json'));
  writeFileSync(file, releasedText(readFileSync(file, 'utf8'), { version, date: today(), changes }));
  for (const each of files) rmSync(each);
}

const today = () => new Date().toISOString().slice(0, 10);

function packed() {
  rmSync(OUT, { recursive: true, force: true });
  const all = packAll(OUT);
  for (const { tarball, kb } of all) console.log(`${tarball} ${kb} KB unpacked`);
  return all;
}

function dryRun() {
  const current = readFileSync('VERSION', 'utf8');
  const changes = changesets('.').map((file) => readFileSync(file, 'utf8'));
  const isReleased = !UNRELEASED.test(current) && changes.flatMap(linesOf).length === 0;
  const text = isReleased ? current : releasedText(current, { version: '(next version)', date: today(), changes });
  run('npm', 'run', 'build');
  packed();
  const first = text.split('\n').slice(0, 6).join('\n');
  console.log(
    isReleased
      ? `\nThere is no change to release. VERSION begins with:\n${first}`
      : `\nVERSION would begin with:\n${first}`,
  );
}

if (import.meta.main) {
  if (process.argv.includes('--dry-run')) dryRun();
  else {
    checkAddress();
    release({ folder: '.', run, pack: packed, publish });
  }
}
