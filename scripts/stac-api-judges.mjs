// Finds the programs that judge the STAC API, in a Python environment of their own: their packages replace each other's in a shared one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { root, shared } from './peers.mjs';

const venv = resolve(root, '.judges', 'stac-api');
const PACKAGES = ['stac-api-validator==0.6.8', 'pystac-client==0.9.*'];
const OFFLINE = resolve(shared, 'tools', 'stac-offline');
const SCHEMAS = resolve(shared, 'data', 'stac-schemas');

/** Program of the environment. */
const program = (name) => resolve(venv, 'bin', name);

const works = () =>
  existsSync(program('stac-api-validator')) &&
  spawnSync(program('python'), ['-c', 'import pystac_client, stac_api_validator'], { stdio: 'ignore' }).status === 0;

/** The programs with the environment that they run in, without network; or the reason why there are none. With `install` they are fetched from PyPI. */
export function findStacApiJudges({ install = false } = {}) {
  if (!existsSync(OFFLINE) || !existsSync(SCHEMAS))
    return { reason: 'the folders of the offline STAC judges are absent' };
  if (install && !works()) {
    console.log(`installing ${PACKAGES.join(' ')} into .judges/stac-api`);
    const made = spawnSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
    if (made.status === 0) spawnSync(program('pip'), ['install', '--quiet', ...PACKAGES], { stdio: 'inherit' });
  }
  if (!works())
    return {
      reason: 'no stac-api-validator and pystac-client: run `npm run test:peers`, which fetches them from PyPI',
    };
  const env = { ...process.env, PYTHONPATH: OFFLINE, STAC_SCHEMAS_DIR: SCHEMAS, PYTHONDONTWRITEBYTECODE: '1' };
  return { validator: program('stac-api-validator'), python: program('python'), env };
}
