import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
import { createMemoryStores } from '@headwater/identity/memory';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { parseMetrics, type ParsedSample } from '../packages/http-service/src/metrics/metrics.fixture.ts';
import { createPipelines } from '../packages/server/src/pipelines.ts';
import { startServerProcess } from './server-process.ts';

const TOKEN = 'a-METRICS_TOKEN_OF_THIS_SERVER';
const SECRETS = {
  METRICS_TOKEN: TOKEN,
  JWT_SECRET: 'a-secret-that-signs-tokens-of-this-test',
  SUPERUSER_PASSWORD: 'tall-river-42',
};

/** Labels that Prometheus adds to each series. */
const OF_TARGET = ['instance', 'job'];

interface Query {
  readonly from: string;
  readonly text: string;
}

async function textOf(path: string): Promise<string> {
  return await readFile(new URL(`../deploy/${path}`, import.meta.url), 'utf8');
}

async function queries(): Promise<readonly Query[]> {
  const dashboard = JSON.parse(await textOf('grafana/headwater.json')) as {
    readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
    readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
  };
  const rules = parse(await textOf('prometheus/headwater-rules.yaml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
  };
  return [
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ from: title, text: expr }))),
    ...dashboard.templating.list.map(({ name, query }) => ({ from: `variable ${name}`, text: query })),
    ...rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => ({ from: alert, text: expr }))),
  ];
}

const METRIC = /\b((?:headwater|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)\s*(?:=~|!~|!=|=)\s*"/g;
const GROUPING = /\b(?:by|on|without)\s*\(([^)]*)\)/g;

function problemsOf(
  { from, text }: Query,
  names: ReadonlySet<string>,
  samples: readonly ParsedSample[],
): readonly string[] {
  const used = [...text.matchAll(METRIC)].map(([, name = '', matchers = '']) => ({ name, matchers }));
  const labelsOf = (name: string): ReadonlySet<string> =>
    new Set([...OF_TARGET, ...samples.flatMap((each) => (each.name === name ? Object.keys(each.labels) : []))]);
  const all = new Set(used.flatMap(({ name }) => [...labelsOf(name)]));
  const grouped = [...text.matchAll(GROUPING)].flatMap(([, list = '']) => list.split(',').map((each) => each.trim()));
  return [
    ...used.filter(({ name }) => !names.has(name)).map(({ name }) => `${from}: no metric ${name}`),
    ...used.flatMap(({ name, matchers }) =>
      [...matchers.matchAll(MATCHER)].flatMap(([, label = '']) =>
        labelsOf(name).has(label) ? [] : [`${from}: ${name} has no label ${label}`],
      ),
    ),
    ...grouped.filter((label) => label !== '' && !all.has(label)).map((label) => `${from}: no label ${label}`),
  ];
}

/** Names of all series in a response; a histogram has three series. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
  );
}

async function scrapeServer(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-metrics-'));
  const server = await startServerProcess({ dataDir, env: { ...SECRETS, HEADWATER_SAMPLE: 'off' } });
  try {
    await fetch(`${server.baseUrl}/no/such/path?key=${TOKEN}`);
    const refused = await fetch(`${server.baseUrl}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect([refused.status, (await fetch(`${server.baseUrl}/api/health`)).status]).toEqual([401, 200]);
    const headers = { 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${TOKEN}` };
    return await (await fetch(`${server.baseUrl}/metrics`, { headers })).text();
  } finally {
    await server.stop('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Metrics of a service with runs, so that each metric has samples. */
async function scrapeWithRuns(): Promise<string> {
  const stores = createMemoryStores();
  const [pipeline] = createPipelines();
  const headwater = createHeadwater({
    baseUrl: 'http://localhost',
    secret: SECRETS.JWT_SECRET,
    stores,
    pipelines: createPipelines(),
    metrics: { token: TOKEN },
  });
  onTestFinished(() => headwater.close());
  for (const id of ['a', 'b'])
    await stores.runs.enqueue({ id, pipeline: pipeline?.name ?? '', params: {}, fingerprint: id, ownerId: 1 });
  await stores.runs.requestCancel('a');
  for (const name of ['headwater.run.duration', 'headwater.plan.duration'] as const)
    headwater.metrics?.observe({ name, value: 1, labels: { pipeline: pipeline?.name ?? '', outcome: 'success' } });
  await toFetchHandler(headwater.service)(new Request('http://localhost/api/health'));
  return (await headwater.metrics?.text()) ?? '';
}

describe('the dashboard and the alert rules', () => {
  let ofServer = '';
  beforeAll(async () => {
    ofServer = await scrapeServer();
  }, 120_000);

  it('name only metrics and labels that the server has', async () => {
    const names = new Set(namesIn(ofServer));
    const samples = [...parseMetrics(ofServer), ...parseMetrics(await scrapeWithRuns())];
    const all = await queries();
    expect(all.length).toBeGreaterThan(30);
    expect(all.flatMap((query) => problemsOf(query, names, samples))).toEqual([]);
    const broken = {
      from: 'broken',
      text: 'sum by (color) (rate(headwater_runs_open{size="1"}[5m])) + headwater_none',
    };
    expect(problemsOf(broken, names, samples)).toEqual([
      'broken: no metric headwater_none',
      'broken: headwater_runs_open has no label size',
      'broken: no label color',
    ]);
  });

  it('the metrics of the reference server include its pools, disk and requests, and contain no secret', () => {
    const samples = parseMetrics(ofServer);
    const valueOf = (name: string, label?: string): number | undefined =>
      samples.find((each) => each.name === name && (label === undefined || Object.values(each.labels).includes(label)))
        ?.value;
    expect(valueOf('headwater_database_up')).toBe(1);
    expect(valueOf('headwater_database_pool_limit', 'main')).toBe(1);
    expect(valueOf('headwater_disk_free_bytes')).toBeGreaterThan(0);
    expect(valueOf('headwater_http_requests_total', 'none')).toBe(1);
    expect(valueOf('headwater_http_requests_total', 'getMetrics')).toBe(1);
    for (const secret of Object.values(SECRETS)) expect(ofServer).not.toContain(secret);
    expect(ofServer).not.toContain('such');
  });
});
