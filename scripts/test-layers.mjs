// `npm run test:layers`: checks every layer of the sample with GDAL, pystac, stac-validator and exact areas.
import { spawnSync } from 'node:child_process';
import { exitCodeOf } from './missing.mjs';
import { findJudges, peerEnvironment } from './peers.mjs';
import { LAYER_SUITES } from './slow-suites.mjs';

const { variables, missing } = findJudges();
const { status } = spawnSync('vitest', ['run', '--maxWorkers=1', ...LAYER_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...peerEnvironment(), ...variables, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(exitCodeOf(status, missing));
