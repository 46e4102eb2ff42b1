// npm run bench:boundaries [-- --tehsils 5000 --mws 100]: imports generated boundary files twice into a new PostGIS.
// Prints time and memory.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createImporters } from '@headwater/ingest';
import { createPostgresStores, parseConnection } from '@headwater/postgres';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { writeBoundaries } from './write-boundaries.ts';

const MIB = 1024 * 1024;
const options = { tehsils: { type: 'string', default: '5000' }, mws: { type: 'string', default: '100' } } as const;
const { values } = parseArgs({ options });
const size = { tehsils: Number(values.tehsils), mws: Number(values.mws) };

/** Prints the duration and the CPU time of `work`, and the peak memory of this process so far. */
async function timed(what: string, work: () => Promise<string>): Promise<void> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const summary = await work();
  const { user, system } = process.cpuUsage(before);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    `${what}: ${seconds(performance.now() - start)}, ${seconds((user + system) / 1000)} of this process's CPU, ` +
      `peak ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB; ${summary}`,
  );
}

const { make, missing } = findPostgres();
if (make === undefined) throw new Error(missing);
const folder = await mkdtemp(join(tmpdir(), 'headwater-boundaries-'));
const cluster = make();
try {
  const stores = await createPostgresStores({ connection: parseConnection(cluster.address) });
  const importers = createImporters({ stores, scratchDir: folder });
  const signal = new AbortController().signal;
  for (const kind of ['places', 'mws'] as const) {
    const path = join(folder, `${kind}.geojson`);
    await timed(`writing ${kind}`, async () => {
      await writeBoundaries(path, kind, size);
      return `${((await stat(path)).size / MIB).toFixed(0)} MiB`;
    });
    for (const pass of ['import', 'the same import again'])
      await timed(`${kind}, ${pass}`, async () => {
        const report = await importers
          .find((each) => each.kind === kind)
          ?.run({ path, fileName: basename(path), signal });
        return `${report?.stored} stored, ${report?.unchanged} unchanged, ${report?.refusedCount} refused`;
      });
  }
  await stores.close();
} finally {
  cluster.remove();
  await rm(folder, { recursive: true, force: true });
}
