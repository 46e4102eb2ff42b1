// `npm run image [-- --base IMAGE]`: builds the image with docker or buildah. npm's configuration is a build secret, so
// that no layer contains it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '..');

/** Version of the image: the newest entry of VERSION. */
export const imageVersion = () => readFileSync(join(ROOT, 'VERSION'), 'utf8').split(/\s/, 1)[0];

const npmSetting = (name) => {
  const value = execFileSync('npm', ['config', 'get', name], { cwd: ROOT, encoding: 'utf8' }).trim();
  return ['', 'null', 'undefined'].includes(value) ? undefined : value;
};

function contentOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Writes npm's configuration into `folder`. Returns the path of each build secret by its id. */
function npmSecrets(folder) {
  const files = [npmSetting('globalconfig'), npmSetting('userconfig')].filter(Boolean);
  const lines = [...files.map(contentOf), `registry=${npmSetting('registry')}`];
  const certificates = npmSetting('cafile') ?? process.env.NODE_EXTRA_CA_CERTS;
  const secrets = { npmrc: join(folder, 'npmrc') };
  if (certificates !== undefined) {
    lines.push('cafile=/run/secrets/npm-ca');
    secrets['npm-ca'] = certificates;
  }
  writeFileSync(secrets.npmrc, `${lines.join('\n')}\n`, { mode: 0o600 });
  return secrets;
}

/** Builds the image with all tags; `base` replaces the base image. Throws if the build fails. */
export function buildImage({ program, base, tags, secrets = {}, stdio = 'inherit' }) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-image-'));
  try {
    const [command, ...global] = program;
    // Format `docker`, because OCI images have no HEALTHCHECK.
    const build =
      command === 'buildah' ? [...global, 'bud', '--format', 'docker', '--layers=false'] : [...global, 'build'];
    const all = Object.entries({ ...npmSecrets(folder), ...secrets });
    const args = [
      ...build,
      ...all.flatMap(([id, path]) => ['--secret', `id=${id},src=${path}`]),
      ...(base === undefined ? [] : ['--build-arg', `BASE=${base}`]),
      ...tags.flatMap((tag) => ['--tag', tag]),
      ROOT,
    ];
    const { status, error } = spawnSync(command, args, { stdio, env: { ...process.env, DOCKER_BUILDKIT: '1' } });
    if (status !== 0)
      throw new Error(`${command} ${build.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** docker if its daemon responds, otherwise buildah; undefined if neither is available. */
function builder() {
  const works = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (works('docker', ['info'])) return ['docker'];
  return works('buildah', ['--version']) ? ['buildah'] : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const program = builder();
  const option = process.argv.indexOf('--base');
  const base = option === -1 ? undefined : process.argv[option + 1];
  if (program === undefined) {
    console.error('no program that builds images: install docker and start its daemon, or install buildah');
    process.exit(1);
  }
  const tags = [imageVersion(), 'latest'].map((tag) => `headwater:${tag}`);
  buildImage({ program, base, tags });
  console.log(`built ${tags.join(' and ')} with ${program[0]}`);
}
