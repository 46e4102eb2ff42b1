import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rasterItem, stacText, validate, type RasterItemInput } from '@headwater/stac';
import { officialJudge, skipReason } from '../../packages/stac/src/official-schemas.fixture.ts';
import { shared } from '../../scripts/peers.mjs';
import { runContest, seconds, warmUp, type PeerSide } from '../contest.ts';
import { isWanted } from '../options.ts';
import { sideOf, startPeer } from '../peer.ts';
import { raster, rasterInput, vector40 } from '../stac/documents.ts';
import { importRows } from '../stac/imports.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

const VALIDATE = 'stac_validate';
const WRITE = 'stac_write';
const IMPORT = 'stac_import';
const BARS = { validate: 1.5, write: 100 } as const;
const ITEMS = { unit: 'Items/s', better: 'more' } as const;

/** Time to validate and to write Items, and to load the package. */
export const stacRows: RowGroup = { names: [VALIDATE, WRITE, IMPORT], run };

async function run(context: RowContext): Promise<BenchResult[]> {
  const { options } = context;
  return [
    ...(isWanted(VALIDATE, options) ? await validateRows(context) : []),
    ...(isWanted(WRITE, options) ? await writeRows(context) : []),
    ...(isWanted(IMPORT, options) ? importRows(IMPORT, options) : []),
  ];
}

async function rate(count: number, work: () => unknown): Promise<number> {
  const took = await seconds(() => {
    for (let index = 0; index < count; index++) work();
    return Promise.resolve();
  });
  return count / took;
}

/**
 * Compares our validator with Ajv. Ajv checks only the official schemas; our validator also checks profile and
 * geometry.
 */
async function validateRows({ options, checks }: RowContext): Promise<BenchResult[]> {
  const item: unknown = JSON.parse(stacText(vector40()));
  const count = options.quick ? 200 : 10_000;
  const errors = (): number =>
    validate(item, { profile: 'headwater' }).filter(({ severity }) => severity === 'error').length;
  checks.close('stac_validate, errors that our validator reports', { ours: errors(), peer: 0 }, 0);
  const ours = (): Promise<number> => rate(count, () => validate(item, { profile: 'headwater' }));
  await warmUp(ours);
  const peers = await ajvSide(item, count, checks);
  return runContest({ ...ITEMS, name: VALIDATE, bar: BARS.validate, rounds: options.rounds, ours, peers });
}

async function ajvSide(item: unknown, count: number, checks: RowContext['checks']): Promise<PeerSide[]> {
  if (skipReason !== undefined) {
    console.log(`peer Ajv skipped: ${skipReason}`);
    return [];
  }
  const judge = officialJudge();
  checks.close('stac_validate, schemas that reject the Item', { ours: 0, peer: judge(item).length }, 0);
  const round = (): Promise<number> => rate(count, () => judge(item));
  await warmUp(round);
  return [{ name: 'ajv, all errors', round }];
}

async function writeRows({ options, checks }: RowContext): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-stac-'));
  const itemFile = join(folder, 'item.json');
  writeFileSync(itemFile, stacText(raster()));
  const name = 'stac_write_pystac';
  const script = resolve(import.meta.dirname, '..', 'stac', 'pystac_item.py');
  const peer = await startPeer(script, [itemFile], { modules: ['pystac', 'jsonschema'], env: offlineJudges() });
  const input = rasterInput();
  const ours = (): Promise<number> => rate(options.quick ? 200 : 10_000, () => written(input));
  await warmUp(ours);
  try {
    const peers = [
      ...sideOf(peer, name),
      ...sideOf(peer, 'stac_write_pystac_unchecked', { rule: false, label: 'unchecked' }),
    ];
    const rows = await runContest({ ...ITEMS, name: WRITE, bar: BARS.write, rounds: options.rounds, ours, peers });
    if (peer !== undefined) checks.close('stac_write, equal Items', { ours: 1, peer: peer.checks.get(name) }, 0);
    return rows;
  } finally {
    peer?.close();
    rmSync(folder, { recursive: true });
  }
}

function written(input: RasterItemInput): string {
  return stacText(rasterItem(input));
}

/** Environment variables with which Python programs find STAC's schemas without the network. */
function offlineJudges(): NodeJS.ProcessEnv {
  const tools = resolve(shared, 'tools', 'stac-offline');
  return { PYTHONPATH: tools, STAC_SCHEMAS_DIR: resolve(shared, 'data', 'stac-schemas') };
}
