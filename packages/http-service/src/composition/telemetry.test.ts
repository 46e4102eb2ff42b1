import type * as OpenTelemetry from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createMemoryAssets } from '@headwater/core/memory';
import { DomainError, type PixelEngine } from '@headwater/core';
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { createHeadwater } from '../headwater.ts';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { samplePipeline } from '../layers/sample-layer.fixture.ts';
import type { Metric, TelemetryApi, TelemetrySpan } from '../seam/telemetry.ts';

const BASE = { baseUrl: 'http://localhost', secret: 's3cret '.repeat(5) };
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

interface Recorded {
  readonly name: string;
  readonly parent: string;
  readonly attributes: Record<string, unknown>;
  status?: number;
  hasEnded: boolean;
}

/** A telemetry API that records all spans. The context is the `traceparent` of the open span. */
function recordingApi() {
  const spans: Recorded[] = [];
  const storage = new AsyncLocalStorage<string>();
  const tracer = {
    startActiveSpan<T>(
      ...[name, { attributes = {} }, context, work]: [
        name: string,
        options: { readonly attributes?: Record<string, string | number> },
        context: string,
        work: (span: TelemetrySpan) => T,
      ]
    ): T {
      const recorded: Recorded = { name, parent: context, attributes: { ...attributes }, hasEnded: false };
      spans.push(recorded);
      const span: TelemetrySpan = {
        setAttribute: (key, value) => (recorded.attributes[key] = value),
        setStatus: ({ code }) => (recorded.status = code),
        recordException: () => {},
        end: () => void (recorded.hasEnded = true),
      };
      return storage.run(`span ${spans.length}`, () => work(span));
    },
  };
  const api = {
    trace: { getTracer: () => tracer },
    context: { active: () => storage.getStore() ?? 'none' },
    propagation: {
      inject: (context: string, carrier: Record<string, string>) => void (carrier['traceparent'] = context),
      extract: (context: string, carrier: Record<string, string>) => carrier['traceparent'] ?? context,
    },
  } satisfies TelemetryApi;
  return { api, spans };
}

const pipeline = {
  ...samplePipeline,
  request: z.object({}),
  resolve: async () => ({ tehsilId: 1, startYear: 2020, endYear: 2020, eoAccountId: 1 }),
  execute: async () => {
    throw new DomainError('no_scenes', 'No scene in 2020.');
  },
};

it('the type TelemetryApi accepts the API of OpenTelemetry', () => {
  expectTypeOf<typeof OpenTelemetry>().toExtend<TelemetryApi>();
});

it('a request and its run are spans of one trace, which begins at the caller; measurements have bounded labels', async () => {
  const { api, spans } = recordingApi();
  const metrics: Metric[] = [];
  const headwater = createHeadwater({
    ...BASE,
    pipelines: [pipeline],
    identity: { authenticate: async () => ({ id: 1, name: 'Asha', roles: ['compute'] }) },
    compute: {
      assets: createMemoryAssets(),
      pixels: { close: async () => {}, release: async () => {} } as Partial<PixelEngine> as PixelEngine,
      earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
    },
    telemetry: { api, onMetric: (metric) => void metrics.push(metric) },
  });
  const ended = new Promise((resolve) => headwater.events.on('run.ended', resolve));
  await headwater.start();
  const handle = toFetchHandler(headwater.service);
  const headers = { 'content-type': 'application/json', traceparent: PARENT };
  await handle(new Request('http://localhost/api/v1/sample_layer/', { method: 'POST', headers, body: '{}' }));
  await ended;
  await handle(new Request('http://localhost/no-such-path-1'));
  await headwater.close();
  expect(spans.map(({ name, parent, hasEnded, status }) => [name, parent, hasEnded, status])).toEqual([
    ['POST /api/v1/sample_layer/', PARENT, true, undefined],
    [`run ${pipeline.name}`, 'span 1', true, 2],
    ['GET', 'none', true, undefined],
  ]);
  expect(spans[0]?.attributes).toMatchObject({
    'http.route': '/api/v1/sample_layer/',
    'http.response.status_code': 202,
  });
  const ofRequest = 'http.server.request.duration';
  expect(metrics.map(({ name, labels }) => [name, labels])).toEqual(
    expect.arrayContaining([
      [ofRequest, { operation: expect.stringMatching(/^\w+$/), outcome: '2xx', status: '202' }],
      ['headwater.run.duration', { pipeline: pipeline.name, outcome: 'failed' }],
      [ofRequest, { operation: 'none', outcome: '4xx', status: '404' }],
    ]),
  );
});

it('a request succeeds even if the tracer or the receiver of metrics throws, and every span ends', async () => {
  const { api, spans } = recordingApi();
  const lines: string[] = [];
  const logger = { debug: () => {}, info: () => {}, error: (_: object, text: string) => void lines.push(text) };
  const defect = (): never => {
    throw new Error('a defect of the host');
  };
  const status = async (telemetry: object): Promise<number> => {
    const { service, close } = createHeadwater({ ...BASE, logger, telemetry });
    const answer = await toFetchHandler(service)(new Request('http://localhost/api/health'));
    await close();
    return answer.status;
  };
  expect(await status({ api, onMetric: defect })).toBe(200);
  expect(spans.map(({ hasEnded }) => hasEnded)).toEqual([true]);
  const noTracer = { ...api, trace: { getTracer: defect } };
  const noContext = { ...api, context: { active: defect } };
  const span = { setAttribute: defect, setStatus: defect, recordException: defect, end: defect };
  const badSpan = {
    ...api,
    trace: {
      getTracer: () => ({
        startActiveSpan: (...[, , , work]: [string, object, string, (span: TelemetrySpan) => unknown]) => work(span),
      }),
    },
  };
  for (const broken of [noTracer, noContext, badSpan]) expect(await status({ api: broken })).toBe(200);
  expect(new Set(lines)).toEqual(new Set(['the telemetry of the host threw an error; correct it']));
});

it("a backend can read the trace of a run's request", async () => {
  const { api } = recordingApi();
  let traceOf: ((runId: string) => Readonly<Record<string, string>>) | undefined;
  const headwater = createHeadwater({
    ...BASE,
    pipelines: [pipeline],
    workService: {},
    identity: { authenticate: async () => ({ id: 1, name: 'Asha', roles: ['compute'] }) },
    compute: {
      assets: createMemoryAssets(),
      backend: (parts) => {
        ({ traceOf } = parts);
        return { name: 'orchestrator', start: () => {}, stop: async () => {} };
      },
    },
    telemetry: { api },
  });
  const headers = { 'content-type': 'application/json', traceparent: PARENT };
  const answer = await toFetchHandler(headwater.service)(
    new Request('http://localhost/api/v1/sample_layer/', { method: 'POST', headers, body: '{}' }),
  );
  const { run_id: runId } = (await answer.json()) as { run_id: string };
  expect(traceOf?.(runId)).toEqual({ traceparent: 'span 1' });
  await headwater.close();
});
