import {
  type AnyPipeline,
  type AssetStore,
  type Clock,
  type RunService,
  type RunWorker,
  SILENT,
  systemTimers,
} from '@headwater/core';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import {
  type BackendParts,
  type Callbacks,
  type ComputeBackend,
  createRunSignals,
  observedRunStore,
  relayChanges,
  type RunSignals,
  WORKER_DEFAULTS,
} from '@headwater/core/runs';
import {
  type AccountDeps,
  type AccountService,
  type ApiKeyPrincipal,
  type ApiKeys,
  type AuthDeps,
  createAccountService,
  createApiKeys,
  createTokens,
  type MailSender,
  type RequestLimit,
  RESET_TTL_SECONDS,
  type Stores,
  TOKEN_DEFAULTS,
} from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { collectionPath } from '@headwater/stac';
import { hash } from 'node:crypto';
import { checkTable } from './composition/check-table.ts';
import { closer } from './composition/closer.ts';
import { runParts } from './composition/run-parts.ts';
import type { Ports, ServiceDeps } from './deps.ts';
import { passwordLinkMail } from './features/accounts/schemas/mails.ts';
import { createScryptHasher } from './features/accounts/scrypt-hasher.ts';
import { buildOperations } from './features/index.ts';
import { createBoundaryForms } from './features/maps/boundary-forms.ts';
import { createLayerForms } from './features/maps/layer-forms.ts';
import { createPublicLists } from './features/public-data/sheets/public-lists.ts';
import { createTehsilSheets } from './features/public-data/sheets/tehsil-sheets.ts';
import { createKylDownloads } from './features/public-data/workbook/kyl-downloads.ts';
import { createPlaceFiles, type PlaceFileParts, type PlaceFiles } from './features/public-data/workbook/place-files.ts';
import { createTehsilOutlines } from './features/reports/tehsil-outlines.ts';
import { createDocuments } from './features/system/documents.ts';
import { createJobWatch } from './features/work-service/job-watch.ts';
import { createRegionStarts } from './features/work-service/region-starts.ts';
import { jobCount, WAITING_ANSWERS, workService } from './features/work-service/settings.ts';
import type { HeadwaterOptions, ImportParts } from './headwater-options.ts';
import { createHealth, DISK_LIMITS, type HealthSources, withoutDetails } from './health/create-health.ts';
import { itemForm } from './items/item-form.ts';
import { createItemTexts } from './items/item-texts.ts';
import { OWN_PLATFORM } from './items/computing-routes.ts';
import { createLayerSummaries } from './layers/layer-summaries.ts';
import { createPublication } from './layers/publication.ts';
import { createKeyLimits, createKeyQuota } from './limits/key-limits.ts';
import { createOpenCounts, createOpenResponses, USER_LIMITS } from './limits/user-limits.ts';
import type { Operation } from './rows/operation.ts';
import { createScreens, screensKind } from './sessions/screens.ts';
import type { Service } from './seam/request.ts';
import { createRequestCounter } from './service/request-counter.ts';
import { createService } from './service/create-service.ts';
import type { Execute } from './service/execute.ts';
import { BASE_TOKEN, createAddresses } from './wire/addresses.ts';

/**
 * Returns the status of the service's own addresses without the network, because the public address may not be reachable from here (proxy).
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

/** The importers of a service. The stores notify waiting requests of this process about published imports, as for runs. */
function serviceImports(
  parts: ImportParts | undefined,
  { stores, signals }: { readonly stores: Stores; readonly signals: RunSignals },
): ServiceDeps['imports'] {
  if (parts === undefined) return undefined;
  const observed = { ...stores, runs: observedRunStore(stores.runs, signals) };
  return { importers: parts.importers(observed), scratchDir: parts.scratchDir };
}

/** A wired service and its parts, for embedders. */
export interface Headwater {
  /** Mounted by adapters. */
  readonly service: Service;
  readonly stores: Stores;
  readonly accounts: AccountService;
  readonly apiKeys: ApiKeys;
  readonly runs: RunService;
  /** Endpoints for the workers of an orchestrator. */
  readonly callbacks: Callbacks;
  /** Computes new runs. */
  readonly backend: ComputeBackend;
  /** As in the options. */
  readonly pipelines: readonly AnyPipeline[];
  /** Undefined if nothing is computed in this process. */
  readonly worker: RunWorker | undefined;
  /** Starts the worker and the files of places; safe to call twice. Without it the service serves and stores runs, and computes none. */
  start(): void;
  /**
   * Closes the service: refuses new requests except health, ends streams, gives the worker and the requests in progress `graceMs` (default
   * 3000), and closes the stores last. Safe to call twice. Call it before the host's server is closed, or at the same time, so that
   * responses can still be sent.
   */
  close(graceMs?: number): Promise<void>;
}

const DAY_SECONDS = 86_400;
const MIB = 1024 * 1024;
const sha256 = (text: string): string => hash('sha256', text);
const SYSTEM_CLOCK: Clock = { now: () => new Date() };

/** Wires stores, accounts, runs, the worker, STAC and the operations. Throws one error that lists all problems of the table. */
export function createHeadwater(options: HeadwaterOptions): Headwater {
  const { stores = createMemoryStores(), clock = SYSTEM_CLOCK, logger = SILENT, version = '0.0.0' } = options;
  const baseUrl = publicAddress(options.baseUrl);
  const publication = createPublication(options.publication ?? {}, baseUrl);
  const pipelines = options.pipelines ?? [];
  const secret = typeof options.secret === 'string' ? new TextEncoder().encode(options.secret) : options.secret;
  const tokens = createTokens({ ...TOKEN_DEFAULTS, ...options.tokens, secret }, clock);
  const accounts = accountsOf(options, { stores, tokens, clock, logger, baseUrl });
  const apiKeys = createApiKeys({ stores, clock, logger, digest: sha256 });
  const signals = createRunSignals();
  const remedies = { ...DEFAULT_REMEDIES, ...options.remedies };
  const limits = { ...USER_LIMITS, ...options.userLimits };
  const work = workService(options.workService ?? {});
  const operations = operationsOf(options, { pipelines, baseUrl });
  const document = checkTable({ operations, pipelines }, { version, tags: options.tags ?? {} });
  const common = { stores, version, clock, logger, statusOf: ownAnswers(baseUrl, () => executeOwn) };
  const limitsOfRuns = { openRuns: limits.openRuns, mostUnowned: work.atOnce, keepRegionsMs: work.keepRegionsMs };
  const runOptions = { ...common, ...limitsOfRuns, signals, remedies, pipelines };
  const form = itemForm({ publication: options.publication, baseUrl });
  const { worker, ...runs } = runParts(options, { ...runOptions, form });
  const closing = new AbortController();
  const probes = probesOf(options, runs.backend.probe?.bind(runs.backend));
  const healthDetails = createHealth({ ...common, worker, closing: closing.signal, ...probes });
  const addresses = createAddresses(baseUrl, options.mapServerUrl);
  const kyl = createKylDownloads(stores);
  const placeFiles = placeFilesOf(options, { stores, kyl, signals, version, logger });
  const deps: ServiceDeps = {
    ...common,
    ...runs,
    accounts,
    pipelines,
    publication,
    itemForm: form,
    baseUrl,
    addresses,
    featured: featuredPath(options),
    placeFiles,
    ...cachesOf(stores, { addresses, kyl }),
    apiKeys,
    ...accessOf(options, { stores, clock, logger, baseUrl, apiKeys, tokens }),
    canCompute: options.compute !== undefined || options.backend !== undefined,
    assets: assetsOf(options),
    hostingPlatform: assetsOf(options)?.platform ?? OWN_PLATFORM,
    workService: work,
    countJob: jobCount(work, { store: stores.throttle, clock }),
    remedies,
    imports: serviceImports(options.imports, { stores, signals }),
    ...formsOf(options, { stores, clock, logger }),
    health: async () => withoutDetails(await healthDetails()),
    healthDetails,
    timers: systemTimers,
    documents: createDocuments(document, { baseUrl, publication, operations, clock, logger }),
    closing: closing.signal,
    openResponses: createOpenResponses(limits.eventStreams),
    anonymousAnswers: createOpenCounts(WAITING_ANSWERS),
    regionStarts: createRegionStarts(work.mostOpen),
  };
  const endRelay = relayChanges(stores.changes, signals);
  const itemTexts = createItemTexts({ ...stores, form, signals, timers: systemTimers, logger });
  const watched = { jobs: stores.jobs, trigger: work.jobs, workflow: runs.backend.workflow, lookMs: work.lookMs };
  const jobWatch = createJobWatch({ ...watched, clock, timers: systemTimers, logger });
  const requestCounter = createRequestCounter();
  const started = { worker, backend: runs.backend, placeFiles, itemTexts, jobWatch };
  const { compute } = options;
  const end = closer({ ...started, closing, requestCounter, apiKeys, stores, compute, endRelay });
  const { service, executeOwn } = createService({
    deps,
    operations,
    cors: { origins: options.corsOrigins ?? [] },
    bodyLimit: options.bodyLimit ?? MIB,
    validateResponses: options.validateResponses ?? false,
    logRequests: options.logRequests ?? false,
    onClose: end,
    requestCounter,
  });
  const start = (): void => Object.values(started).forEach((each) => each?.start());
  return { service, stores, accounts, apiKeys, ...runs, pipelines, worker, start, close: end };
}

type AccessParts = Ports<'stores' | 'clock' | 'logger' | 'baseUrl' | 'apiKeys'> & Pick<AuthDeps, 'tokens'>;

/** Sign-in of the pages, and dependencies of the auth policies. */
function accessOf(options: HeadwaterOptions, parts: AccessParts): Ports<'auth' | 'screens'> {
  const { stores, clock, apiKeys, tokens } = parts;
  const screens = createScreens(options.pages, parts);
  const keyLimits = keyLimitsOf(options, clock, apiKeys);
  return { screens, auth: { tokens, users: stores.users, apiKeys, keyLimits, sessions: screens.check } };
}

type AccountParts = Pick<AccountDeps, 'stores' | 'tokens' | 'clock' | 'logger'> & { readonly baseUrl: string };

function accountsOf(options: HeadwaterOptions, { baseUrl, ...parts }: AccountParts): AccountService {
  return createAccountService({
    ...parts,
    hasher: options.hasher ?? createScryptHasher(),
    registration: options.registration ?? 'off',
    ...mailLinkOf(options.mail, baseUrl),
    ...(options.loginLimits === undefined ? {} : { limits: options.loginLimits }),
  });
}

function operationsOf(options: HeadwaterOptions, { pipelines, baseUrl }: Ports<'pipelines' | 'baseUrl'>): Operation[] {
  const {
    imports,
    activation,
    workflowAccess,
    operations = [],
    workService: work,
    corsOrigins: origins = [],
  } = options;
  const ownPages = { baseUrl, origins };
  const callers = options.remedies?.callers;
  const rules = { activation, workflowAccess, pages: screensKind(options.pages) };
  const settings = { importBytes: imports?.maxBytes, ...rules, work, ownPages, callers };
  return [...buildOperations(pipelines, settings), ...operations];
}

/** Store of published files, of this process or of others that compute. */
const assetsOf = ({ compute, files }: HeadwaterOptions): AssetStore | undefined => compute?.assets ?? files;

/** Vector layers in the formats of map servers, cached next to the files of runs. */
function formsOf(
  options: HeadwaterOptions,
  { stores: { lookups }, clock, logger }: Ports<'stores' | 'clock' | 'logger'>,
): Ports<'forms' | 'boundaryForms'> {
  const assets = assetsOf(options);
  return {
    forms: createLayerForms({ assets, logger }),
    boundaryForms: createBoundaryForms({ lookups, assets, clock, logger }),
  };
}

type FileParts = Omit<PlaceFileParts, 'folder' | 'timers'>;

/** Caches of responses about published data, invalidated by version. */
function cachesOf(
  stores: Stores,
  { addresses, kyl }: Ports<'addresses' | 'kyl'>,
): Ports<'summaries' | 'sheets' | 'outlines' | 'lists' | 'kyl'> {
  return {
    summaries: createLayerSummaries(stores.catalog),
    sheets: createTehsilSheets(stores.data),
    outlines: createTehsilOutlines(stores),
    lists: createPublicLists({ ...stores, addresses }),
    kyl,
  };
}

function placeFilesOf({ exportFolder: folder }: HeadwaterOptions, parts: FileParts): PlaceFiles | undefined {
  return folder === undefined ? undefined : createPlaceFiles({ ...parts, folder, timers: systemTimers });
}

/** Sends password reset links, if mail is configured. */
function mailLinkOf(mail: MailSender | undefined, baseUrl: string): Pick<AccountDeps, 'mailLink'> {
  if (mail === undefined) return {};
  const days = RESET_TTL_SECONDS / DAY_SECONDS;
  return { mailLink: (mailed) => mail.send(passwordLinkMail(mailed, { baseUrl, days })) };
}

/** Limits of the API keys of one account together: per minute, then per day. */
function keyLimitsOf(
  { apiKeyRequestsPerMinute, apiKeyRequestsPerDay }: HeadwaterOptions,
  clock: Clock,
  { usesToday }: ApiKeys,
): readonly RequestLimit<ApiKeyPrincipal>[] {
  const [minute, day] = [{ apiKeyRequestsPerMinute }, { apiKeyRequestsPerDay }].map(wholeNumberOf);
  return [
    ...(minute === undefined ? [] : [createKeyLimits(minute, clock)]),
    ...(day === undefined ? [] : [createKeyQuota(day, clock, usesToday)]),
  ];
}

function wholeNumberOf(option: Readonly<Record<string, number | undefined>>): number | undefined {
  for (const [name, most] of Object.entries(option)) {
    if (most === undefined || (Number.isInteger(most) && most > 0)) return most;
    throw new Error(`${name}: ${most} is not a whole number above 0; leave it out for no limit`);
  }
  return undefined;
}

function featuredPath({ featured }: HeadwaterOptions): string | undefined {
  return featured === undefined ? undefined : collectionPath(featured.state, featured.district, featured.tehsil);
}

/** Normalizes the public address, without trailing slash; throws if it is not an absolute http(s) URL. */
function publicAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const usable = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!usable) throw new Error(`baseUrl: "${baseUrl}" is not an address; give one such as http://localhost:8000`);
  // URL.href is percent-encoded, so that it is safe in JSON texts and in headers.
  return url.href.replace(/\/+$/, '');
}

type Probes = Omit<HealthSources, 'version' | 'stores' | 'worker' | 'closing' | 'clock' | 'logger'>;

function probesOf(options: HeadwaterOptions, orchestrator: Probes['orchestrator']): Probes {
  const { compute, freeBytes, freeDisk } = options;
  const assets = assetsOf(options);
  const isElsewhere = compute !== undefined && options.worker === false;
  return {
    queue: isElsewhere ? WORKER_DEFAULTS.queue : undefined,
    pixels: options.pixelsHealth ?? compute?.pixels.probe?.bind(compute.pixels),
    scenes: options.scenesHealth ?? compute?.earthObservation.probe?.bind(compute.earthObservation),
    files: options.filesHealth ?? assets?.probe?.bind(assets),
    boundaries: options.boundariesHealth,
    fault: options.fault,
    orchestrator,
    freeBytes,
    freeDisk: { ...DISK_LIMITS, ...freeDisk },
    timers: systemTimers,
  };
}
