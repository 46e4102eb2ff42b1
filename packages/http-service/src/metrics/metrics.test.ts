import { LAST_BACKUP_AT } from '@headwater/core/runs';
import { createManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { createHeadwater } from '../headwater.ts';
import type { HeadwaterOptions } from '../headwater-options.ts';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { samplePipeline } from '../layers/sample-layer.fixture.ts';
import { createDatabaseFigures } from './database-figures.ts';
import { parseMetrics, type ParsedSample } from './metrics.fixture.ts';
import { createRegistry } from './registry.ts';

const TOKEN = 'a token of the metrics';
const BASE = { baseUrl: 'http://localhost', secret: 's3cret '.repeat(5), metrics: { token: TOKEN } };

function serve(options: Partial<HeadwaterOptions> = {}) {
  const headwater = createHeadwater({ ...BASE, ...options });
  const handle = toFetchHandler(headwater.service);
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    handle(new Request(`http://localhost${path}`, init));
  const scrape = async (): Promise<readonly ParsedSample[]> =>
    parseMetrics(await (await send('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } })).text());
  return { headwater, send, scrape };
}

const valueOf = (samples: readonly ParsedSample[], name: string, labels: object = {}): number | undefined =>
  samples.find((each) => each.name === name && Object.entries(labels).every(([key, text]) => each.labels[key] === text))
    ?.value;

it('the text has escaped labels, cumulative buckets and infinite values', () => {
  const registry = createRegistry();
  registry.counter('a_total', 'Text with \\ and\na second line.').add({ label: 'a "quote", a \\ and\na line' }, 2);
  const histogram = registry.histogram('b_seconds', 'Times.', [1, 2]);
  for (const value of [0.5, 1, 1.5, 9]) histogram.observe({ kind: 'x' }, value);
  const text = registry.text([
    { name: 'c', type: 'gauge', help: 'Numbers.', samples: [{ value: Number.POSITIVE_INFINITY }] },
    { name: 'd', type: 'gauge', help: 'Without samples.', samples: [] },
  ]);
  expect(text).toContain('# TYPE d gauge\n');
  expect(text).toContain('# HELP a_total Text with \\\\ and\\na second line.\n');
  expect(parseMetrics(text)).toEqual([
    { name: 'a_total', labels: { label: 'a "quote", a \\ and\na line' }, value: 2 },
    { name: 'b_seconds_bucket', labels: { kind: 'x', le: '1' }, value: 2 },
    { name: 'b_seconds_bucket', labels: { kind: 'x', le: '2' }, value: 3 },
    { name: 'b_seconds_bucket', labels: { kind: 'x', le: '+Inf' }, value: 4 },
    { name: 'b_seconds_sum', labels: { kind: 'x' }, value: 12 },
    { name: 'b_seconds_count', labels: { kind: 'x' }, value: 4 },
    { name: 'c', labels: {}, value: Number.POSITIVE_INFINITY },
  ]);
  const broken = {
    'no line feed': 'x 1',
    malformed: '# HELP x X\n# TYPE x gauge\nx{a="b} 1\n',
    'not below': `${text}a_total 1\n`,
  };
  for (const [message, each] of Object.entries(broken)) expect(() => parseMetrics(each)).toThrow(message);
});

it('many unknown paths, methods and pipelines add only a few series; no label contains text of a caller', async () => {
  const stores = createMemoryStores();
  const { headwater, send, scrape } = serve({ stores, version: '1.2.3', pipelines: [samplePipeline] });
  const secret = 'a-secret-of-a-caller';
  for (let at = 0; at < 10_000; at += 1)
    await send(`/no/${at}-${secret}?key=${secret}`, { method: at % 2 ? 'GET' : 'PUT' });
  for (let at = 0; at < 100; at += 1) await send(`/api/v1/stac/${secret}-${at}/`);
  for (let at = 0; at < 50; at += 1) {
    const run = { params: {}, fingerprint: String(at), ownerId: 1 };
    await stores.runs.enqueue({ ...run, id: `run-${at}`, pipeline: `${secret}-${at}` });
  }
  await scrape();
  const samples = await scrape();
  expect(JSON.stringify(samples)).not.toContain(secret);
  expect(samples.length).toBeLessThan(200);
  expect(valueOf(samples, 'headwater_http_requests_total', { operation: 'none', status: '404' })).toBe(10_000);
  expect(valueOf(samples, 'headwater_http_requests_total', { operation: 'getStateCollection' })).toBe(100);
  expect(valueOf(samples, 'headwater_http_requests_total', { operation: 'getMetrics', status: '200' })).toBe(1);
  expect(valueOf(samples, 'headwater_runs_open', { pipeline: 'other', state: 'queued' })).toBe(50);
  expect(valueOf(samples, 'headwater_info', { version: '1.2.3' })).toBe(1);
  expect(valueOf(samples, 'headwater_http_sent_bytes_total')).toBeGreaterThan(10_000);
  expect(valueOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
  await headwater.close();
}, 60_000);

it('answers while the database is unavailable, without the metrics of the database', async () => {
  const stores = createMemoryStores();
  const away = async (): Promise<never> => await Promise.reject(new Error('no route'));
  const { headwater, scrape } = serve({
    stores: { ...stores, operatorLists: { ...stores.operatorLists, runCounts: away } },
  });
  const samples = await scrape();
  expect(valueOf(samples, 'headwater_database_up')).toBe(0);
  expect(samples.filter(({ name }) => /runs_open|queue|workers/.test(name))).toEqual([]);
  expect(valueOf(samples, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
  await headwater.close();
});

it('has the hits and misses of the cache of scenes, and no such series without a cache', async () => {
  const blocks = ['hit', 'miss'].map((outcome) => ['headwater_scene_cache_blocks_total', { outcome }] as const);
  const bytes = ['hit', 'miss'].map((outcome) => ['headwater_scene_cache_bytes_total', { outcome }] as const);
  const figures = { hits: 3, misses: 2, hitBytes: 3000, missBytes: 2000 };
  for (const isOn of [true, false]) {
    const metrics = { token: TOKEN, ...(isOn && { sceneCache: () => figures }) };
    const { headwater, scrape } = serve({ metrics });
    const samples = await scrape();
    const values = [...blocks, ...bytes].map(([name, labels]) => valueOf(samples, name, labels));
    expect(values).toEqual(isOn ? [3, 2, 3000, 2000] : Array.from({ length: 4 }, () => undefined));
    await headwater.close();
  }
});

it('reads the database at most once in 5 s, waits at most 1 s for it, and repeats no hanging statement', async () => {
  const time = createManualTime();
  const stores = createMemoryStores({ clock: time });
  let reads = 0;
  let hangs = false;
  const runCounts = (endedMs: number) => {
    reads += 1;
    return hangs ? new Promise<never>(() => {}) : stores.operatorLists.runCounts(endedMs);
  };
  const counted = { ...stores, operatorLists: { ...stores.operatorLists, runCounts } };
  // Setting the clock back must not change the age of cached figures.
  let setBackMs = 0;
  const figures = createDatabaseFigures({
    stores: counted,
    pipelines: new Set(),
    clock: { now: () => new Date(time.now().getTime() - setBackMs) },
    timers: time,
    elapsedMs: () => time.now().getTime(),
  });
  const upOf = async (): Promise<number | undefined> => (await figures())[0]?.samples[0]?.value;
  await stores.installation.write(LAST_BACKUP_AT, '2026-01-02T00:00:00.000Z');
  const families = await Promise.all([figures(), figures()]);
  expect(families[0]?.find(({ name }) => name === 'headwater_last_backup_timestamp_seconds')?.samples).toEqual([
    { value: Date.parse('2026-01-02T00:00:00Z') / 1000 },
  ]);
  await time.advance(4999);
  expect([await upOf(), reads]).toEqual([1, 1]);
  hangs = true;
  setBackMs = 3_600_000;
  await time.advance(10_001);
  const slow = upOf();
  await time.advance(1000);
  expect(await slow).toBe(0);
  const again = upOf();
  await time.advance(1000);
  expect([await again, reads]).toEqual([0, 2]);
});
