import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Network } from '@headwater/net';
import { childEnv } from '../../../../scripts/child-env.mjs';
import { openRaster } from '../tiff/open-raster.ts';
import { BlockCache, type CacheCounts } from './block-cache.ts';
import type { BlockCacheSettings } from './block-files.ts';

/** File to read, and the settings of the cache. */
export interface BlockReading {
  readonly href: string;
  readonly blocks?: BlockCacheSettings;
}

/** Digest of the pixels of a file, and the counts of the cache. */
export interface BlockReport extends CacheCounts {
  readonly digest: string;
}

/** Reads all pixels of a file in this process. */
export async function readBlocks({ href, blocks }: BlockReading): Promise<BlockReport> {
  const all = { hits: 0, hitBytes: 0, misses: 0, missBytes: 0 };
  const count = (counts: CacheCounts): void => {
    for (const name of ['hits', 'hitBytes', 'misses', 'missBytes'] as const) all[name] += counts[name];
  };
  const network = new Network({ settings: { allowedOrigins: [new URL(href).origin], firstPauseMs: 1 } });
  const file = await openRaster(href, { network, ...(blocks && { cache: new BlockCache(blocks, count) }) });
  const { cols, rows } = file.grid;
  const out = new Uint16Array(cols * rows);
  await file.readWindow({ col: 0, row: 0, cols, rows }, out);
  file.close();
  return { ...all, digest: createHash('sha256').update(out).digest('hex') };
}

/** Reads all pixels of a file in a child process, which is killed when the signal aborts. */
export function readInProcess(reading: BlockReading, signal?: AbortSignal): Promise<BlockReport> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(reading)], {
    execArgv: ['--conditions=@headwater/source'],
    env: childEnv(),
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  });
  return new Promise((settle, fail) => {
    child.on('error', fail);
    child.once('message', (report: BlockReport) => settle(report));
    child.once('exit', (code) => fail(new Error(`the reader exited with ${code}`)));
  });
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const reading: BlockReading = JSON.parse(process.argv[2] ?? '');
  process.send(await readBlocks(reading), () => process.disconnect());
}
