import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '@headwater/core/values';
import { lulcPipeline } from '@headwater/land-cover';
import { expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../../../scripts/database-template.mjs';
import { listenOnLoopback } from '../../../scripts/loopback.mjs';
import { createServer } from './index.ts';

it('LOG_LEVEL=debug shows requests, outgoing requests and decisions of the queue; info shows only requests', async () => {
  const none = JSON.stringify({ type: 'FeatureCollection', features: [], links: [] });
  const api = await listenOnLoopback((_, response) => {
    response.writeHead(200, { 'content-type': 'application/geo+json' }).end(none);
  });
  onTestFinished(() => api.close());
  const messages = async (logLevel: 'debug' | 'info'): Promise<ReadonlySet<unknown>> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'headwater-debug-log-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
    await copyDatabase(join(dataDir, 'db'));
    let shown = '';
    const output = { write: (text: string) => (shown += text) };
    const eoStacApi = { url: `${api.origin}/v1?key=x-secret-x`, collection: 'sentinel-2-l2a' };
    const settings = { dataDir, host: '127.0.0.1', port: 0, sample: false, logLevel, eoStacApi } as const;
    const server = await createServer(
      { ...settings, allowedOrigins: [api.origin] },
      { output, pipelines: [lulcPipeline] },
    );
    await server.start();
    try {
      await server.ready();
      const sent = await fetch(`${server.address}/api/export-asset?token=x-secret-x`, {
        method: 'POST',
        body: JSON.stringify({ region: [85, 24, 85.02, 24.02], year: 2021 }),
        headers: { 'content-type': 'application/json', authorization: 'Bearer x-secret-x' },
        signal: AbortSignal.timeout(60_000),
      });
      await sent.text();
    } finally {
      await server.stop();
    }
    expect(shown).not.toContain('x-secret-x');
    const lines = shown.split('\n').flatMap((line): unknown[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
    return new Set(lines.filter(isObject).map((line) => line['msg']));
  };
  const all = await messages('debug');
  for (const message of [
    'request',
    'outgoing request',
    'queue: a run is queued',
    'queue: a worker claims a run',
    'queue: a run fails',
  ])
    expect(all).toContain(message);
  const few = await messages('info');
  expect(few).toContain('request');
  expect([...few].filter((message) => /^queue|outgoing|slow/.test(String(message)))).toEqual([]);
}, 180_000);
