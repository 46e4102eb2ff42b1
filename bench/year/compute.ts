// Computes one year of a tehsil for each line on stdin. For the line `estimate`, only estimates the work of a year.
// Prints JSON.
import { closeSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createAddresses } from '@headwater/http-service';
import { createDirectoryAssets, createEarthObservation } from '@headwater/ingest';
import { lulcPipeline } from '@headwater/land-cover';
import { createPublishedLayers, DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import type { PipelinePorts, Place, Run } from '@headwater/core';
import type { ReadEstimate } from '@headwater/core/ports';
import { createMemoryStores } from '@headwater/identity/memory';
import { createPixelEngine } from '@headwater/raster';
import { peakMib } from './peak.ts';
import { benchTehsil } from './polygons.ts';

const YEAR = 2023;
const [scenes = '', work = '', threads = '2'] = process.argv.slice(2);

async function savePlace(stores: ReturnType<typeof createMemoryStores>): Promise<Place> {
  const tehsil = benchTehsil(scenes);
  return stores.places.saveBundle({ state: 'Bench', district: 'Bench', tehsil: 'Bench', ...tehsil, villages: [] });
}

function portsOf(stores: ReturnType<typeof createMemoryStores>): PipelinePorts {
  const assets = createDirectoryAssets(join(work, 'assets'));
  return {
    places: stores.places,
    earthObservation: createEarthObservation({
      roots: [join(scenes, 'catalog.json')],
      readJson: async (href) => JSON.parse(await readFile(href, 'utf8')) as unknown,
    }),
    pixels: createPixelEngine({ scratchDir: join(work, 'scratch'), threads: Number(threads) }),
    assets,
    published: createPublishedLayers(stores, assets),
    addresses: createAddresses('http://localhost:8000'),
    remedies: DEFAULT_REMEDIES,
    version: '0.0.0',
    now: () => new Date(),
  };
}

/** Claims a new run. The lease is longer than the bench, because a run with an expired lease would be claimed again. */
async function claimRun({ runs }: ReturnType<typeof createMemoryStores>, attempt: number): Promise<Run> {
  const id = `bench-${attempt}`;
  await runs.enqueue({ id, pipeline: lulcPipeline.name, params: {}, fingerprint: id, ownerId: 1 });
  const claim = { workerId: 'bench', leaseMs: 86_400_000, pipelines: [lulcPipeline.name], maxAttempts: 1 };
  const run = await runs.claim(claim);
  if (run === undefined) throw new Error(`${id} could not be claimed`);
  return run;
}

function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // On systems other than Linux, or without permission, the peak cannot be reset.
  }
}

/** Reads every file once, so that no round waits for the disk. */
function warmPageCache(folder: string, buffer = Buffer.alloc(1 << 20)): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      warmPageCache(path, buffer);
      continue;
    }
    const file = openSync(path, 'r');
    while (readSync(file, buffer) > 0);
    closeSync(file);
  }
}

async function estimate(): Promise<ReadEstimate | undefined> {
  const signal = new AbortController().signal;
  const [plan] = (await lulcPipeline.plans?.(params, ports, signal)) ?? [];
  return plan === undefined ? undefined : await ports.pixels.estimate?.(plan, { signal, progress: quiet });
}

const quiet = (): void => undefined;
const stores = createMemoryStores();
const place = await savePlace(stores);
const ports = portsOf(stores);
const params = { tehsilId: place.tehsil.id, startYear: YEAR, endYear: YEAR, eoAccountId: 1 };
warmPageCache(scenes);
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);

let attempt = 0;
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  if (line === 'estimate') {
    process.stdout.write(`${JSON.stringify(await estimate())}\n`);
    continue;
  }
  rmSync(join(work, 'assets'), { recursive: true, force: true });
  resetPeak();
  const start = performance.now();
  const cpuStart = process.cpuUsage();
  const context = {
    run: await claimRun(stores, ++attempt),
    signal: new AbortController().signal,
    progress: quiet,
    log: quiet,
  };
  const result = await lulcPipeline.execute(params, ports, {
    ...context,
    logger: { debug: quiet, info: quiet, error: quiet },
  });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuStart);
  const cpuSeconds = (user + system) / 1e6;
  const { timings } = result;
  process.stdout.write(
    `${JSON.stringify({ seconds, cpuSeconds, peakMib: peakMib(), timings, items: result.items.length })}\n`,
  );
}
await ports.pixels.close();
rmSync(work, { recursive: true, force: true });
