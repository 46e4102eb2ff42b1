import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { peers } from './peer.ts';
import { THREADS } from './rows/context.ts';

const VERSIONS = [
  'import sys, numpy, numba, rasterio, bottleneck',
  'print("python", sys.version.split()[0], "| numpy", numpy.__version__, "| numba", numba.__version__,',
  '  "| rasterio", rasterio.__version__, "with GDAL", rasterio.__gdal_version__, "| bottleneck", bottleneck.__version__)',
].join('\n');

/** Returns the lines above the table: machine, threads, and versions of all sides. */
export function header(): string {
  const version = readFileSync(resolve(import.meta.dirname, '..', 'VERSION'), 'utf8').split(/\s/, 1)[0];
  const cores = cpus();
  const { node, v8 } = process.versions;
  return [
    `machine: ${cores[0]?.model.trim() ?? 'unknown'}, ${cores.length} cores, load ${loadavg()[0]?.toFixed(1)} | ${THREADS} threads a side`,
    `ours: headwater ${version} | node ${node}, V8 ${v8} | fastify ${packageVersion('fastify')}, express ${packageVersion('express')}, zod ${packageVersion('zod')}`,
    `peers: ${peerVersions()}`,
  ].join('\n');
}

function packageVersion(name: string): string {
  const file = resolve(import.meta.dirname, '..', 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

function peerVersions(): string {
  const found = peers();
  if ('reason' in found) return `missing: ${found.reason}`;
  return spawnSync(found.python, ['-c', VERSIONS], { encoding: 'utf8' }).stdout.trim();
}
