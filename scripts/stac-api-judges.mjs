// Finds the judges of the STAC API. Their packages conflict with the packages of other judges.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { root, shared } from './peers.mjs';

const venv = resolve(root, '.judges', 'stac-api');
const PACKAGES = ['stac-api-validator==0.6.8', 'pystac-client==0.9.*'];
const OFFLINE = resolve(shared, 'tools', 'stac-offline');
const SCHEMAS = resolve(shared, 'data', 'stac-schemas');

const program = (name) => resolve(venv, 'bin', name);

const works = () =>
  existsSync(program('stac-api-validator')) &&
  spawnSync(program('python'), ['-c', 'import pystac_client, stac_api_validator'], { stdio: 'ignore' }).status === 0;

/** Finds the judges, or returns the reason why there are none. Only `install` needs the network: it uses PyPI. */
export function findStacApiJudges({ install = false } = {}) {
  if (!existsSync(OFFLINE) || !existsSync(SCHEMAS))
    return { reason: 'the folders ../shared/tools/stac-offline and ../shared/data/stac-schemas are missing' };
  if (install && !works()) {
    console.log(`installing ${PACKAGES.join(' ')} into .judges/stac-api`);
    const created = spawnSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
    if (created.status === 0) spawnSync(program('pip'), ['install', '--quiet', ...PACKAGES], { stdio: 'inherit' });
  }
  if (!works())
    return {
      reason: 'no stac-api-validator and pystac-client: run `npm run test:peers`, which fetches them from PyPI',
    };
  const env = { ...process.env, PYTHONPATH: OFFLINE, STAC_SCHEMAS_DIR: SCHEMAS, PYTHONDONTWRITEBYTECODE: '1' };
  return { validator: program('stac-api-validator'), python: program('python'), env };
}
