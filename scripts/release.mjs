// npm run release -- --dry-run: builds and packs every published package into dist-packages/, and prints the entry of VERSION.
// npm run release: also writes the version, its date and the changes of .changeset/ to VERSION, and publishes the packages.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { packAll } from './pack-packages.mjs';

const OUT = 'dist-packages';
const UNRELEASED = /^(\S+) not released yet$/m;

/** Files of changesets: a list of packages, and below it the text for VERSION. */
const changesets = () => globSync('.changeset/*.md').sort();

/** Text of a changeset as lines of VERSION; each paragraph is one change. */
function linesOf(changeset) {
  const text = changeset.replace(/^---\n[^]*?\n---\n/, '').trim();
  return text === '' ? [] : text.split(/\n\s*\n/).map((paragraph) => `- ${paragraph.replace(/\n\s*/g, '\n  ')}`);
}

/**
 * Text of VERSION after the release of `version` on `date` with these changesets. If the newest entry is not released
 * yet, it gets the date, and the changes are added to it. Throws if there is nothing to release.
 */
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

/** Version to release: the version of the packages if VERSION has an unreleased entry, otherwise the next version by the changesets. */
function nextVersion(isDryRun) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (UNRELEASED.test(readFileSync('VERSION', 'utf8'))) return version;
  if (isDryRun) return '(next version)';
  run('changeset', 'version');
  const next = JSON.parse(readFileSync('packages/core/package.json', 'utf8')).version;
  const root = readFileSync('package.json', 'utf8');
  writeFileSync('package.json', root.replace(`"version": "${version}"`, `"version": "${next}"`));
  run('npm', 'install', '--package-lock-only');
  run('node', 'scripts/complete-lock.mjs');
  return next;
}

/** Throws if the addresses of the packages are still those of the repository's placeholder. */
function checkAddress() {
  const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (homepage.includes('.example'))
    throw new Error(
      `homepage: ${homepage} is a placeholder; write your address in repository, homepage and bugs of package.json and of every package`,
    );
}

/** Publishes the packages that the registry of npm's configuration does not have in this version. */
function publish(packed) {
  for (const { manifest, tarball } of packed) {
    const { name, version } = manifest;
    const known = spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' });
    if (known.stdout.trim() === version) console.log(`${name} ${version} is published already`);
    else run('npm', 'publish', resolve(tarball), '--access', 'public');
  }
}

function main(isDryRun) {
  if (!isDryRun) checkAddress();
  const files = changesets();
  const changes = files.map((file) => readFileSync(file, 'utf8'));
  const version = nextVersion(isDryRun);
  const text = releasedText(readFileSync('VERSION', 'utf8'), {
    version,
    date: new Date().toISOString().slice(0, 10),
    changes,
  });
  if (!isDryRun) {
    writeFileSync('VERSION', text);
    for (const file of files) if (existsSync(file)) rmSync(file);
  }
  run('npm', 'run', 'build');
  rmSync(OUT, { recursive: true, force: true });
  const packed = packAll(OUT);
  for (const { tarball, kb } of packed) console.log(`${tarball} ${kb} KB unpacked`);
  if (isDryRun) console.log(`\nVERSION would begin with:\n${text.split('\n').slice(0, 6).join('\n')}`);
  else publish(packed);
}

if (import.meta.main) main(process.argv.includes('--dry-run'));
