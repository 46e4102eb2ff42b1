// Sends a large layer, and prints its sizes and the peak memory as JSON. Arguments: an empty folder, vertices of the
// largest feature, number of other features.
import { createApiKeys } from '@headwater/identity';
import { EXAMPLE_NAMES } from '@headwater/http-service';
import { createDirectoryAssets } from '@headwater/ingest';
import { peakBytes } from '../../../../../scripts/peak-memory.mjs';
import { newUser } from '@headwater/testkit/stores';
import { publishedWorld } from '../fixture/published-world.ts';

const VERTICES = 500;

/** The printed report. */
export interface LargeReport {
  /** Stored file, bytes. */
  readonly storedBytes: number;
  /** Peak memory, MiB. `before`: before the first request; `after`: after the last request. */
  readonly before: number;
  readonly after: number;
  readonly answers: readonly LargeAnswer[];
}

/** Response to a request. */
export interface LargeAnswer {
  readonly requested: string;
  readonly status: number;
  readonly encoding: string | null;
  readonly declared: number;
  readonly sent: number;
}

const [folder = '', largest, more] = process.argv.slice(2);
const assets = createDirectoryAssets(folder);
const world = await publishedWorld(assets);
const { stores } = world;
const runId = await world.publish(1);
const layer = (await stores.catalog.layersOf(1)).find(({ datasetName }) => datasetName === 'MWS');
if (layer === undefined) throw new Error('fixture: no layer of micro-watersheds');
const [, token = '', name = ''] = layer.assetKey.split('/');
const stored = await assets.write(runId, Number(token), name, collection());
const user = await stores.users.create(newUser('asha'));
const key = (await createApiKeys({ stores, clock: { now: () => new Date() } }).generate({ kind: 'user', user })).text;

const peakMiB = (): number => peakBytes() / 1024 ** 2;
const before = peakMiB();
const answers: LargeAnswer[] = [];
for (const requested of ['identity', 'gzip', 'br', 'gzip']) answers.push(await ask(requested));
const report: LargeReport = { storedBytes: stored.bytes, before, after: peakMiB(), answers };
process.stdout.write(`${JSON.stringify(report)}\n`);
await world.close();

async function ask(requested: string): Promise<LargeAnswer> {
  const path = `/api/v1/get_mws_geometries/?${new URLSearchParams(EXAMPLE_NAMES).toString()}`;
  const { status, headers, body } = await world.get(path, {
    headers: { 'x-api-key': key, 'accept-encoding': requested },
  });
  let sent = 0;
  for await (const piece of body ?? []) sent += piece.byteLength;
  return {
    requested,
    status,
    encoding: headers.get('content-encoding'),
    declared: Number(headers.get('content-length')),
    sent,
  };
}

/** Yields a large feature, then `more` features of VERTICES vertices each. */
function* collectionText(): Generator<string> {
  yield `{"type":"FeatureCollection","features":[${feature(0, Number(largest))}`;
  for (let at = 1; at <= Number(more); at += 1) yield `,${feature(at, VERTICES)}`;
  yield ']}';
}

async function* collection(): AsyncGenerator<Uint8Array> {
  for (const text of collectionText()) yield Buffer.from(text);
}

function feature(at: number, vertices: number): string {
  const ring = Array.from({ length: vertices }, (_each, vertex) => {
    const angle = (vertex * 2 * Math.PI) / vertices;
    return [Number((85 + Math.cos(angle + at) / 9).toFixed(7)), Number((24 + Math.sin(angle + at) / 9).toFixed(7))];
  });
  const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  return JSON.stringify({ type: 'Feature', geometry, properties: { uid: `12_${at}`, area_in_ha: at } });
}
