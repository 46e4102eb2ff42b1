// Builds the image for `npm run test:images` with buildah, without a daemon. debootstrap makes the base image.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildImage, imageVersion } from './build-image.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = join(ROOT, '.images');
const BASE = 'localhost/headwater-base';
const SUITE = 'bookworm';

/** Buildah with its storage in the ignored folder `.images`. */
export const BUILDAH = [
  'buildah',
  '--storage-driver',
  'vfs',
  '--root',
  join(FOLDER, 'storage'),
  '--runroot',
  join(FOLDER, 'run'),
];

/** Name of the built image. */
export const IMAGE = `localhost/headwater:${imageVersion()}`;

/** Runs buildah and returns its output. */
export const buildah = (...args) =>
  execFileSync(BUILDAH[0], [...BUILDAH.slice(1), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

const hasImage = (name) =>
  spawnSync(BUILDAH[0], [...BUILDAH.slice(1), 'inspect', '--type', 'image', name], { stdio: 'ignore' }).status === 0;

/** Missing programs and rights, with the remedy. */
export function missingForImages() {
  const missing = ['buildah', 'debootstrap']
    .filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error !== undefined)
    .map((name) => `${name}: install Debian's ${name}`);
  if (process.getuid?.() !== 0) missing.push('the user root, which debootstrap and chroot need');
  return missing;
}

function mirror() {
  const targets = ['Created-By: Packages', `Codename: ${SUITE}`, 'Component: main'];
  const [first] = execFileSync('apt-get', ['indextargets', ...targets, '--format', '$(REPO_URI)'], {
    encoding: 'utf8',
  }).split('\n');
  if (first === '') throw new Error(`the sources of apt have no ${SUITE}: run apt-get update on Debian 12`);
  return first;
}

/** Folders whose content is removed from the base image. */
const EMPTIED = [
  'usr/share/locale',
  'usr/share/man',
  'usr/share/info',
  'var/cache/apt',
  'var/lib/apt/lists',
  'var/log',
];

/** Makes a minimal Debian, without manuals, translations and downloaded packages. */
function makeBase() {
  const scratch = mkdtempSync(join(tmpdir(), 'headwater-base-'));
  const root = join(scratch, 'root');
  const archive = join(scratch, 'base.tar');
  try {
    execFileSync('debootstrap', ['--variant=minbase', SUITE, root, mirror()], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (const folder of EMPTIED)
      for (const name of readdirSync(join(root, folder)))
        rmSync(join(root, folder, name), { recursive: true, force: true });
    rmSync(join(root, 'etc/apt/sources.list'));
    // With this setting, dpkg does not wait for the disk after each file.
    writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
    execFileSync('find', [join(root, 'usr/share/doc'), '-type', 'f', '!', '-name', 'copyright', '-delete']);
    execFileSync('tar', ['--create', '--file', archive, '--directory', root, '.']);
    const container = buildah('from', 'scratch');
    buildah('add', '--quiet', container, archive, '/');
    buildah('commit', '--quiet', '--rm', container, BASE);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** SHA-256 of the files that determine the image. The image has no sources of Headwater. */
const digest = () => {
  const scripts = readdirSync(join(ROOT, 'deploy/image')).map((name) => join('deploy/image', name));
  const files = ['Dockerfile', '.dockerignore', 'package-lock.json', ...scripts.sort()];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
};

/** Builds the image, unless the files of `digest` are unchanged since the last build. Throws if the build fails. */
export function makeImage() {
  const stamp = join(FOLDER, 'digest');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest() && hasImage(IMAGE)) return;
  mkdirSync(FOLDER, { recursive: true });
  // Containers of killed tests are removed, because they would keep the old image in use.
  buildah('rm', '--all');
  const began = performance.now();
  if (!hasImage(BASE)) makeBase();
  const based = performance.now();
  const scratch = mkdtempSync(join(tmpdir(), 'headwater-apt-'));
  try {
    const secrets = { 'apt-sources': join(scratch, 'sources'), 'apt-conf': join(scratch, 'conf') };
    writeFileSync(secrets['apt-sources'], `deb ${mirror()} ${SUITE} main\n`);
    // The build uses the download settings of this machine's apt, such as proxies, certificates and checks of dates.
    const settings = execFileSync('apt-config', ['dump', 'Acquire'], { encoding: 'utf8' }).split('\n');
    writeFileSync(
      secrets['apt-conf'],
      `${settings.filter((line) => /^Acquire::(https?|Check|ForceIPv|Retries)/.test(line)).join('\n')}\n`,
    );
    process.env.BUILDAH_ISOLATION = 'chroot';
    const tags = [IMAGE, 'localhost/headwater:latest'];
    buildImage({ program: BUILDAH, base: BASE, tags, secrets, stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  buildah('rmi', '--prune');
  writeFileSync(stamp, digest());
  const seconds = (from, to) => Math.round((to - from) / 1000);
  console.log(`made the base in ${seconds(began, based)} s and the image in ${seconds(based, performance.now())} s`);
}
