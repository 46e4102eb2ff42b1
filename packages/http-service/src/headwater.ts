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
  type ApiKeys,
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
import { workPolicy } from './features/work-service/policy.ts';
import { workService } from './features/work-service/settings.ts';
import type { HeadwaterOptions, ImportParts } from './headwater-options.ts';
import { createHealth, DISK_LIMITS, type HealthSources, withoutDetails } from './health/create-health.ts';
import { itemForm } from './items/item-form.ts';
import { createItemTexts } from './items/item-texts.ts';
import { OWN_PLATFORM } from './items/own-platform.ts';
import { createLayerSummaries } from './layers/layer-summaries.ts';
import { createPublication } from './layers/publication.ts';
import { createKeyLimits, createKeyQuota } from './limits/key-limits.ts';
import { createOpenAnswers, USER_LIMITS } from './limits/user-limits.ts';
import type { Operation } from './rows/operation.ts';
import type { Service } from './seam/request.ts';
import { createAnswersUnderWay } from './service/answers-under-way.ts';
import { createService } from './service/create-service.ts';
import type { Execute } from './service/execute.ts';
import { BASE_TOKEN, createAddresses } from './wire/addresses.ts';

/** What a service answers to its own addresses, asked without the network: behind a proxy its public address may not lead back to it. */
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

/** The importers of a service. What they publish is told to who waits for it in this process, like what the worker publishes. */
function serviceImports(
  parts: ImportParts | undefined,
  { stores, signals }: { readonly stores: Stores; readonly signals: RunSignals },
): ServiceDeps['imports'] {
  if (parts === undefined) return undefined;
  const told = { ...stores, runs: observedRunStore(stores.runs, signals) };
  return { importers: parts.importers(told), scratchDir: parts.scratchDir };
}

/** A wired service and the parts that an embedder may want to reach. */
export interface Headwater {
  /** What adapters mount. */
  readonly service: Service;
  readonly stores: Stores;
  readonly accounts: AccountService;
  readonly apiKeys: ApiKeys;
  readonly runs: RunService;
  /** What an orchestrator's workers call back for. */
  readonly callbacks: Callbacks;
  /** Where new runs compute. */
  readonly backend: ComputeBackend;
  /** As they were given. */
  readonly pipelines: readonly AnyPipeline[];
  /** Undefined where nothing is computed in this process. */
  readonly worker: RunWorker | undefined;
  /** Starts the worker, and the files that are kept of places; safe to call twice. Without it the service serves and stores runs, and none is worked on. */
  start(): void;
  /**
   * Refuses further requests except those for health, ends streams, gives the worker and the answers under way `graceMs` (default 3000), and closes the stores last. Safe to
   * call twice. Call it while the host still sends answers: before its server is closed, or together with that.
   */
  close(graceMs?: number): Promise<void>;
}

const DAY_SECONDS = 86_400;
const MIB = 1024 * 1024;
const sha256 = (text: string): string => hash('sha256', text);
const SYSTEM_CLOCK: Clock = { now: () => new Date() };

/** Wires stores, accounts, runs, the worker, STAC and the operations; everything but address and secret has a default. Throws one error that lists what is wrong in the table. */
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
  const operations = operationsOf(options, pipelines);
  const document = checkTable({ operations, pipelines }, { version, tags: options.tags ?? {} });
  const common = { stores, version, clock, logger, statusOf: ownAnswers(baseUrl, () => executeOwn) };
  const made = { ...common, signals, remedies, pipelines, openRuns: limits.openRuns, mostUnowned: work.atOnce };
  const form = itemForm({ publication: options.publication, baseUrl });
  const { worker, ...runs } = runParts(options, { ...made, form });
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
    ...keptAnswersOf(stores, { addresses, kyl }),
    apiKeys,
    auth: { tokens, users: stores.users, apiKeys, keyLimits: keyLimitsOf(options, clock, apiKeys) },
    canCompute: options.compute !== undefined || options.backend !== undefined,
    assets: assetsOf(options),
    hostingPlatform: assetsOf(options)?.platform ?? OWN_PLATFORM,
    workService: work,
    remedies,
    imports: serviceImports(options.imports, { stores, signals }),
    ...formsOf(options, { stores, clock, logger }),
    health: async () => withoutDetails(await healthDetails()),
    healthDetails,
    timers: systemTimers,
    documents: createDocuments(document, { baseUrl, publication, operations, clock, logger }),
    closing: closing.signal,
    openAnswers: createOpenAnswers(limits.eventStreams),
  };
  const endRelay = relayChanges(stores.changes, signals);
  const itemTexts = createItemTexts({ ...stores, form, signals, timers: systemTimers, logger });
  const watched = { jobs: stores.jobs, trigger: work.jobs, workflow: runs.backend.workflow, lookMs: work.lookMs };
  const jobWatch = createJobWatch({ ...watched, clock, timers: systemTimers, logger });
  const underWay = createAnswersUnderWay();
  const started = { worker, backend: runs.backend, placeFiles, itemTexts, jobWatch };
  const { compute } = options;
  const end = closer({ ...started, closing, underWay, apiKeys, stores, compute, endRelay });
  const { service, executeOwn } = createService({
    deps,
    operations,
    cors: { origins: options.corsOrigins ?? [] },
    bodyLimit: options.bodyLimit ?? MIB,
    validateResponses: options.validateResponses ?? false,
    logRequests: options.logRequests ?? false,
    onClose: end,
    underWay,
  });
  const start = (): void => Object.values(started).forEach((each) => each?.start());
  return { service, stores, accounts, apiKeys, ...runs, pipelines, worker, start, close: end };
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

function operationsOf(options: HeadwaterOptions, pipelines: readonly AnyPipeline[]): Operation[] {
  const { imports, activation, workflowAccess, operations = [], workService: work = {} } = options;
  const settings = { importBytes: imports?.maxBytes, activation, workflowAccess, workAuth: workPolicy(work) };
  return [...buildOperations(pipelines, settings), ...operations];
}

/** Files of what is published: computed here, or by others in the same place. */
const assetsOf = ({ compute, files }: HeadwaterOptions): AssetStore | undefined => compute?.assets ?? files;

/** Layers as map servers send them, kept beside the files of runs. */
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

/** Answers about what is published that are made once for a version of it. */
function keptAnswersOf(
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

/** How links for new passwords reach people, where there is mail. */
function mailLinkOf(mail: MailSender | undefined, baseUrl: string): Pick<AccountDeps, 'mailLink'> {
  if (mail === undefined) return {};
  const days = RESET_TTL_SECONDS / DAY_SECONDS;
  return { mailLink: (mailed) => mail.send(passwordLinkMail(mailed, { baseUrl, days })) };
}

/** Limits of the requests with one API key: a minute, then a day. */
function keyLimitsOf(
  { apiKeyRequestsPerMinute, apiKeyRequestsPerDay }: HeadwaterOptions,
  clock: Clock,
  { usesToday }: ApiKeys,
): readonly RequestLimit[] {
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

/** Checks the public address; throws where it is no absolute http(s) URL. Returns it without trailing slash. */
function publicAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const usable = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!usable) throw new Error(`baseUrl: "${baseUrl}" is not an address; give one such as http://localhost:8000`);
  // As addresses are written: it goes into texts of JSON and into headers as it is.
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
