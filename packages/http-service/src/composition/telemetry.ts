import type { AnyPipeline, Logger, PixelEngine } from '@headwater/core';
import { withExecute } from '@headwater/core/runs';
import { dropOldest } from '@headwater/core/values';
import type { Stores } from '@headwater/identity';
import type { ComputeParts, SettledOptions } from '../headwater-options.ts';
import type { Metric, TelemetryOptions, TelemetrySpan } from '../seam/telemetry.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../seam/request.ts';

/** Traces and measures the parts of a service. */
export interface Telemetry {
  readonly service: (service: Service) => Service;
  readonly parts: (parts: TracedParts) => TracedParts & Pick<SettledOptions, 'traceOf'>;
}

/** Parts of a process that are traced and measured. */
export interface TracedParts {
  readonly pipelines: readonly AnyPipeline[];
  readonly compute: ComputeParts | undefined;
  readonly stores: Stores;
}

/** Kind and status codes of OpenTelemetry: https://opentelemetry.io/docs/specs/otel/trace/api */
const SERVER = 1;
const INTERNAL = 0;
const ERROR = 2;

const MOST_CARRIERS = 10_000;

interface Work {
  readonly name: string;
  readonly kind?: number;
  readonly metric: Metric['name'];
  readonly attributes: Record<string, string | number>;
  readonly labels: Readonly<Record<string, string>>;
  /** Trace to continue; default: the current trace. */
  readonly carrier?: Record<string, string>;
}

type Measure = <T>(work: Work, run: () => Promise<T>) => Promise<T>;

/** Creates functions that trace and measure parts; undefined without options. */
export function createTelemetry(
  options: TelemetryOptions | undefined,
  { version, logger }: { readonly version: string; readonly logger: Logger },
): Telemetry | undefined {
  if (options === undefined) return undefined;
  const safely = createSafely(logger);
  const measure = createMeasure(options, { version, safely });
  const carriers = createCarriers(options, safely);
  const onPixels = (value: number): void => {
    safely(() => options.onMetric?.({ name: 'headwater.plan.pixels', value, labels: {} }));
  };
  return {
    service: (service) => ({
      ...service,
      execute: (request) => measure(requestWork(service, request), async () => await service.execute(request)),
    }),
    parts: ({ pipelines, compute, stores }) => ({
      pipelines: pipelines.map((pipeline) => tracedPipeline(pipeline, { measure, carriers })),
      compute: compute && { ...compute, pixels: tracedPixels(compute.pixels, { measure, onPixels }) },
      stores: {
        ...stores,
        runs: {
          ...stores.runs,
          enqueue: (run, more) => {
            carriers.remember(run.id);
            return stores.runs.enqueue(run, more);
          },
        },
      },
      traceOf: (runId) => carriers.of(runId) ?? {},
    }),
  };
}

/** Calls the host's telemetry. An error is logged and the result is undefined, so that the work continues. */
type Safely = <T>(call: () => T) => T | undefined;

function createSafely(logger: Logger): Safely {
  return (call) => {
    try {
      return call();
    } catch (error) {
      logger.error({ error: String(error) }, 'the telemetry of the host threw an error; correct it');
      return undefined;
    }
  };
}

function createMeasure(
  { api, onMetric }: TelemetryOptions,
  { version, safely }: { readonly version: string; readonly safely: Safely },
): Measure {
  return async (work, run) => {
    const started = performance.now();
    let outcome = 'failed';
    let status: { readonly status?: string } = {};
    const timed = async (span?: TelemetrySpan): Promise<Awaited<ReturnType<typeof run>>> => {
      try {
        const result = await run();
        outcome = isResponse(result) ? `${Math.floor(result.status / 100)}xx` : 'success';
        if (isResponse(result)) {
          status = { status: String(result.status) };
          safely(() => noteStatus(result, span));
        }
        return result;
      } catch (error) {
        safely(() => {
          if (error instanceof Error) span?.recordException(error);
          span?.setStatus({ code: ERROR });
        });
        throw error;
      } finally {
        const value = (performance.now() - started) / 1000;
        safely(() => onMetric?.({ name: work.metric, value, labels: { ...work.labels, outcome, ...status } }));
        safely(() => span?.end());
      }
    };
    if (api === undefined) return await timed();
    let running: ReturnType<typeof timed> | undefined;
    const traced = safely(() => {
      // `active` and `parent` have the type `unknown`, because the service only passes contexts on.
      const active = api.context.active();
      const parent = work.carrier === undefined ? active : api.propagation.extract(active, work.carrier);
      const { name, kind = INTERNAL, attributes } = work;
      const tracer = api.trace.getTracer('headwater', version);
      return tracer.startActiveSpan(name, { kind, attributes }, parent, (span) => (running = timed(span)));
    });
    // If a tracer throws, the work may already be running. The work must not run twice.
    return await (traced ?? running ?? timed());
  };
}

interface Carriers {
  readonly remember: (runId: string) => void;
  readonly of: (runId: string) => Record<string, string> | undefined;
}

function createCarriers({ api }: TelemetryOptions, safely: Safely): Carriers {
  const carriers = new Map<string, Record<string, string>>();
  return {
    of: (runId) => carriers.get(runId),
    remember: (runId) => {
      const carrier: Record<string, string> = {};
      safely(() => api?.propagation.inject(api.context.active(), carrier));
      if (Object.keys(carrier).length === 0) return;
      carriers.set(runId, carrier);
      dropOldest(carriers, MOST_CARRIERS);
    },
  };
}

function tracedPipeline(
  pipeline: AnyPipeline,
  { measure, carriers }: { readonly measure: Measure; readonly carriers: Carriers },
): AnyPipeline {
  const { name } = pipeline;
  return {
    ...pipeline,
    execute: (params, ports, context) => {
      const carrier = carriers.of(context.run.id);
      const attributes = { 'headwater.pipeline': name, 'headwater.run': context.run.id };
      const facts = { name: `run ${name}`, metric: 'headwater.run.duration', labels: { pipeline: name } } as const;
      const work = { ...facts, attributes, ...(carrier === undefined ? {} : { carrier }) };
      return measure(work, () => pipeline.execute(params, ports, context));
    },
  };
}

function tracedPixels(
  pixels: PixelEngine,
  { measure, onPixels }: { readonly measure: Measure; readonly onPixels: (count: number) => void },
): PixelEngine {
  const work = { name: 'plan', metric: 'headwater.plan.duration', labels: {}, attributes: {} } as const;
  const execute: PixelEngine['execute'] = async (plan, context) => {
    const outcome = await measure(work, () => pixels.execute(plan, context));
    onPixels(outcome.decodedPixels);
    return outcome;
  };
  return withExecute(pixels, execute);
}

function requestWork(service: Service, { method, url, headers }: ServiceRequest): Work {
  const found = service.operation(method, url);
  const operation = found?.id ?? 'none';
  const carrier: Record<string, string> = {};
  for (const name of ['traceparent', 'tracestate', 'baggage']) {
    const value = headers[name];
    if (typeof value === 'string') carrier[name] = value;
  }
  const attributes = {
    'http.request.method': method,
    'http.route': found?.path ?? '',
    'headwater.operation': operation,
  };
  const name = `${method} ${found?.path ?? ''}`.trim();
  return { name, kind: SERVER, metric: 'http.server.request.duration', labels: { operation }, attributes, carrier };
}

const isResponse = (value: unknown): value is ServiceResponse =>
  typeof value === 'object' &&
  value !== null &&
  'status' in value &&
  'headers' in value &&
  typeof value.status === 'number';

function noteStatus({ status }: ServiceResponse, span: TelemetrySpan | undefined): void {
  span?.setAttribute('http.response.status_code', status);
  if (status >= 500) span?.setStatus({ code: ERROR });
}

/** Options that also pass each measurement to `receive`; unchanged options without `receive`. */
export function withReceiver(
  options: TelemetryOptions | undefined,
  receive: ((metric: Metric) => void) | undefined,
): TelemetryOptions | undefined {
  if (receive === undefined) return options;
  return {
    ...options,
    onMetric: (metric) => {
      receive(metric);
      options?.onMetric?.(metric);
    },
  };
}
