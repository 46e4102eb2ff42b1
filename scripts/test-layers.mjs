// npm run test:layers: a fresh start with every layer of the sample, judged by GDAL, pystac, stac-validator and exact areas; and whole
// synthetic worlds, whose maps are compared with the truth.
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
