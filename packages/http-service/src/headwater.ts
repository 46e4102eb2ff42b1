import { type AnyPipeline, type Clock, type RunService, type RunWorker, systemTimers } from '@headwater/core';
import type { MapServer } from '@headwater/core/ports';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import {
  type BackendParts,
  type Callbacks,
  type ComputeBackend,
  createRunSignals,
  relayChanges,
} from '@headwater/core/runs';
import {
  type AccountService,
  type ApiKeys,
  createApiKeys,
  createTokens,
  type Stores,
  TOKEN_DEFAULTS,
} from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { hash } from 'node:crypto';
import { checkTable } from './composition/check-table.ts';
import { createHeadwaterEvents, type HeadwaterEmitter } from './composition/headwater-events.ts';
import { closer } from './composition/closer.ts';
import {
  accessOf,
  accountsOf,
  assetsOf,
  auditUpkeepOf,
  canComputeOf,
  cachesOf,
  eoPartsOf,
  featuredPath,
  formsOf,
  operationsOf,
  placeFilesOf,
  probesOf,
  publicAddress,
  serviceImports,
} from './composition/option-parts.ts';
import { createTelemetry, withReceiver } from './composition/telemetry.ts';
import { settleOptions } from './composition/settle-options.ts';
import { runParts } from './composition/run-parts.ts';
import { withAdmin } from './features/admin/resources/index.ts';
import { createKylDownloads } from './features/public-data/workbook/kyl-downloads.ts';
import { createDocuments } from './features/system/documents.ts';
import { createJobWatch } from './features/work-service/job-watch.ts';
import { createRegionStarts } from './features/work-service/region-starts.ts';
import { jobCount, WAITING_ANSWERS, workService } from './features/work-service/settings.ts';
import type { ServiceDeps } from './deps.ts';
import type { HeadwaterOptions, SettledOptions } from './headwater-options.ts';
import { createHealth, createHealthWatch, withoutDetails } from './health/create-health.ts';
import { itemForm } from './items/item-form.ts';
import { createItemTexts } from './items/item-texts.ts';
import { OWN_PLATFORM } from './items/computing-routes.ts';
import { createMetrics, type MetricsParts } from './metrics/create-metrics.ts';
import { createPublication } from './layers/publication.ts';
import { createOpenCounts, createOpenResponses, USER_LIMITS } from './limits/user-limits.ts';
import type { Metrics } from './seam/metrics.ts';
import type { Service } from './seam/request.ts';
import type { Metric } from './seam/telemetry.ts';
import { createRequestCounter } from './service/request-counter.ts';
import { createService } from './service/create-service.ts';
import type { Execute } from './service/execute.ts';
import { BASE_TOKEN, createAddresses } from './wire/addresses.ts';

/**
 * Creates a function that returns the status of an address of this service. It sends nothing over the network, because
 * the process may be unable to reach its own public address.
 */
function ownAnswers(baseUrl: string, execute: () => Execute): BackendParts['statusOf'] {
  return async (address) => {
    const base = [baseUrl, BASE_TOKEN].find((each) => address.startsWith(`${each}/`));
    if (base === undefined) return undefined;
    const { status, body } = await execute()({
      method: 'HEAD',
      url: address.slice(base.length),
      headers: {},
      body: { kind: 'none' },
      remoteAddress: undefined,
      signal: new AbortController().signal,
    });
    if (body instanceof ReadableStream) await body.cancel();
    return status;
  };
}

/** A complete service and its parts, for embedders. */
export interface Headwater {
  readonly service: Service;
  readonly stores: Stores;
  readonly accounts: AccountService;
  readonly apiKeys: ApiKeys;
  readonly runs: RunService;
  /** Callbacks of an orchestrator's tasks. */
  readonly callbacks: Callbacks;
  readonly backend: ComputeBackend;
  readonly pipelines: readonly AnyPipeline[];
  readonly worker: RunWorker | undefined;
  readonly mapServer: MapServer | undefined;
  readonly metrics: Metrics | undefined;
  /** Events of runs, Items and imports. */
  readonly events: HeadwaterEmitter;
  /** Starts the worker and the background jobs. Rejects if another service on the database has another `secret`. */
  start(): Promise<void>;
  /**
   * Closes the service. Waits at most `graceMs` (default 3000) for requests and worker. Call it before you close the
   * host's server.
   */
  close(graceMs?: number): Promise<void>;
}

const MIB = 1024 * 1024;
const sha256 = (text: string): string => hash('sha256', text);
const SYSTEM_CLOCK: Clock = { now: () => new Date() };

/** Creates the service with all its parts. Throws one error with all problems of the operations. */
export function createHeadwater(options: HeadwaterOptions): Headwater {
  const settled = settleOptions(options);
  const { version = '0.0.0', logger, compute, stores = createMemoryStores(), pipelines = [] } = settled;
  let metrics: Metrics | undefined;
  const receive = settled.metrics && ((metric: Metric) => metrics?.observe(metric));
  const telemetry = createTelemetry(withReceiver(settled.telemetry, receive), { version, logger });
  if (telemetry === undefined) return assemble(settled, baseParts(settled));
  const traced = { ...settled, ...telemetry.parts({ pipelines, compute, stores }) };
  const headwater = assemble(traced, baseParts(traced));
  ({ metrics } = headwater);
  return { ...headwater, service: telemetry.service(headwater.service) };
}

type BaseParts = ReturnType<typeof baseParts>;

function baseParts(options: SettledOptions) {
  const { stores = createMemoryStores(), clock = SYSTEM_CLOCK, logger, version = '0.0.0', pipelines = [] } = options;
  const baseUrl = publicAddress(options.baseUrl);
  const secret = typeof options.secret === 'string' ? new TextEncoder().encode(options.secret) : options.secret;
  const tokens = createTokens({ ...TOKEN_DEFAULTS, ...options.tokens, secret }, clock);
  const { openRuns = USER_LIMITS.openRuns, eventStreams = USER_LIMITS.eventStreams } = options;
  const operations = operationsOf(options, { pipelines, baseUrl });
  return {
    stores,
    clock,
    logger,
    version,
    pipelines,
    baseUrl,
    tokens,
    openRuns,
    eventStreams,
    operations,
    secret,
    publication: createPublication(options.publication ?? {}, baseUrl),
    accounts: accountsOf(options, { stores, tokens, clock, logger, baseUrl }),
    apiKeys: createApiKeys({ stores, clock, logger, digest: sha256 }),
    signals: createRunSignals(),
    remedies: { ...DEFAULT_REMEDIES, ...options.remedies },
    work: workService(options.workService ?? {}),
    document: checkTable({ operations, pipelines }, { version, tags: options.tags ?? {} }),
  };
}

/** Rejects if another service on the database has another secret: each would refuse the tokens of the other. */
async function agreeOnSecret({ stores, secret, logger }: BaseParts): Promise<void> {
  const problem =
    'another service that runs on this database has another secret, so each refuses the tokens of the other';
  const digest = hash('sha256', secret);
  const onRival = (): void => logger.error({ option: 'secret' }, `${problem}; give all of them the same secret`);
  if (await stores.installation.agree('secret of tokens', digest, onRival)) return;
  throw new Error(`secret: ${problem}; give all of them the same secret`);
}

function relayedEvents({ stores, signals, logger }: BaseParts) {
  const { events, end } = createHeadwaterEvents({ stores, signals, logger });
  const stopRelay = relayChanges(stores.changes, signals);
  const endRelay = (): void => {
    end();
    stopRelay();
  };
  return { events, endRelay };
}

function jobWatchOf({ stores, work, clock, logger }: BaseParts, { workflow }: Pick<ComputeBackend, 'workflow'>) {
  const watched = { jobs: stores.jobs, trigger: work.jobs, workflow, lookMs: work.lookMs };
  return createJobWatch({ ...watched, clock, timers: systemTimers, logger });
}

type MetricsInput = Pick<MetricsParts, 'stores' | 'clock' | 'version' | 'service'> &
  Pick<ServiceDeps, 'pipelines' | 'mapPublisher'>;

function metricsOf(
  { metrics: options, freeBytes }: SettledOptions,
  { pipelines, mapPublisher, ...parts }: MetricsInput,
): Metrics | undefined {
  if (options === undefined) return undefined;
  const names = new Set(pipelines.map(({ name }) => name));
  const pendingLayers = mapPublisher?.pending;
  return createMetrics({ ...parts, options, pipelines: names, freeBytes, pendingLayers, timers: systemTimers });
}

function assemble(options: SettledOptions, base: BaseParts): Headwater {
  const { stores, clock, logger, version, pipelines, baseUrl, tokens, openRuns, eventStreams, operations } = base;
  const { publication, accounts, apiKeys, signals, remedies, work, document } = base;
  const common = { stores, version, clock, logger, statusOf: ownAnswers(baseUrl, () => executeOwn) };
  const limitsOfRuns = { openRuns, mostUnowned: work.atOnce, keepRegionsMs: work.keepRegionsMs };
  const eo = eoPartsOf(options, { stores, clock, logger, signals });
  const runOptions = { ...common, ...limitsOfRuns, signals, remedies, pipelines, ...eo.eoAccess };
  const maps = formsOf(options, { stores, logger, baseUrl, publication, signals });
  const form = itemForm({ publication: options.publication, baseUrl, mapServer: maps.mapServer });
  const { worker, coordinator, ...runs } = runParts(options, { ...runOptions, form });
  const closing = new AbortController();
  const probes = probesOf(options, runs.backend.probe?.bind(runs.backend));
  const healthDetails = createHealth({ ...common, worker, closing: closing.signal, ...probes });
  const addresses = createAddresses(baseUrl, options.mapServerUrl);
  const kyl = createKylDownloads(stores);
  const placeFiles = placeFilesOf(options, { stores, kyl, signals, version, logger });
  const requestCounter = createRequestCounter({ countsBytes: options.metrics !== undefined });
  const metrics = metricsOf(options, { ...common, pipelines, service: requestCounter.figures, ...maps });
  const shared = { accounts, apiKeys, pipelines, metrics };
  const deps = withAdmin(options, {
    ...common,
    ...shared,
    ...runs,
    publication,
    itemForm: form,
    baseUrl,
    addresses,
    featured: featuredPath(options),
    placeFiles,
    ...cachesOf(stores, { addresses, kyl, clock, hasExports: eo.eoExporter !== undefined }),
    ...accessOf(options, { stores, clock, logger, baseUrl, apiKeys, tokens }),
    canCompute: canComputeOf(options),
    assets: assetsOf(options),
    hostingPlatform: assetsOf(options)?.platform ?? OWN_PLATFORM,
    workService: work,
    countJob: jobCount(work, { store: stores.throttle, clock }),
    remedies,
    imports: serviceImports(options.imports, { stores, signals }),
    ...maps,
    health: async () => withoutDetails(await healthDetails()),
    healthDetails,
    timers: systemTimers,
    documents: createDocuments(document, { baseUrl, publication, operations, clock, logger, viewers: options }),
    closing: closing.signal,
    ...eo,
    openResponses: createOpenResponses(eventStreams),
    anonymousAnswers: createOpenCounts(WAITING_ANSWERS),
    regionStarts: createRegionStarts(work.mostOpen),
  });
  const { events, endRelay } = relayedEvents(base);
  const itemTexts = createItemTexts({ ...stores, form, signals, timers: systemTimers, logger });
  const jobWatch = jobWatchOf(base, runs.backend);
  const auditUpkeep = auditUpkeepOf(options, common);
  const { mapPublisher, mapServer } = deps;
  const healthWatch = createHealthWatch(healthDetails, probes);
  const keepers = { itemTexts, jobWatch, auditUpkeep, healthWatch, eoExporter: eo.eoExporter };
  // The coordinator is not started if this service cannot compute, because the service may then lack the pipelines of
  // the runs.
  const coordinating = canComputeOf(options) ? { coordinator } : {};
  const started = { ...coordinating, worker, backend: runs.backend, placeFiles, mapPublisher, ...keepers };
  const end = closer({ ...deps, ...started, coordinator, closing, requestCounter, compute: options.compute, endRelay });
  const { service, executeOwn } = createService({
    deps,
    operations,
    cors: { origins: options.corsOrigins ?? [] },
    isPart: options.mount !== undefined,
    bodyLimit: options.bodyLimit ?? MIB,
    validateResponses: options.validateResponses ?? false,
    logRequests: options.logRequests ?? false,
    onClose: end,
    requestCounter,
  });
  const start = async (): Promise<void> => {
    await agreeOnSecret(base);
    if (!closing.signal.aborted) Object.values(started).forEach((each) => each?.start());
  };
  return { service, stores, ...shared, ...runs, worker, mapServer, events, start, close: end };
}
