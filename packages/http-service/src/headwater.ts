import { hash } from 'node:crypto';
import {
  type AccountDeps,
  type AccountService,
  type AnyPipeline,
  type ApiKeys,
  type Clock,
  createAccountService,
  createApiKeys,
  createPublishedLayers,
  createPipelineRegistry,
  createRunService,
  createRunSignals,
  createRunWorker,
  createTokens,
  DEFAULT_REMEDIES,
  type Logger,
  type MailSender,
  RESET_TTL_SECONDS,
  orderPipeline,
  relayChanges,
  type Remedies,
  type PipelineRegistry,
  type RunService,
  type RunServiceDeps,
  type RunSignals,
  type RunWorker,
  SILENT,
  type Stores,
  systemTimers,
  TOKEN_DEFAULTS,
} from '@headwater/core';
import { createMemoryStores } from '@headwater/core/memory';
import { collectionPath, validateItem } from '@headwater/stac';
import { closer } from './closer.ts';
import type { ServiceDeps } from './deps.ts';
import { createDocuments } from './documents.ts';
import type { ComputeParts, HeadwaterOptions } from './headwater-options.ts';
import { createHealth, DISK_LIMITS, type HealthSources, withoutDetails } from './health.ts';
import { createKeyLimits, createKeyQuota } from './key-limits.ts';
import { createKylDownloads } from './workbook/kyl-downloads.ts';
import { createPublicLists } from './public-lists.ts';
import { createTehsilOutlines } from './tehsil-outlines.ts';
import { createTehsilSheets } from './tehsil-sheets.ts';
import { createBoundaryForms } from './layers/boundary-forms.ts';
import { createLayerForms } from './layers/layer-forms.ts';
import { createLayerSummaries } from './layers/layer-summaries.ts';
import { checkTable } from './check-table.ts';
import { buildOperations } from './operations/index.ts';
import type { Operation } from './operation.ts';
import { createPublication } from './publication.ts';
import { createScryptHasher } from './scrypt-hasher.ts';
import { createAddresses, storedAddresses } from './wire/addresses.ts';
import { passwordLinkMail } from './wire/mails.ts';
import type { Service } from './seam.ts';
import { serviceImports } from './service-imports.ts';
import { createService } from './service/create-service.ts';
import { itemForm } from './handlers/stac-api/item-form.ts';
import { createItemTexts } from './item-texts.ts';
import { createPlaceFiles, type PlaceFileParts, type PlaceFiles } from './workbook/place-files.ts';
import { createOpenAnswers, USER_LIMITS } from './user-limits.ts';

/** A wired service and the parts that an embedder may want to reach. */
export interface Headwater {
  /** What adapters mount. */
  readonly service: Service;
  readonly stores: Stores;
  readonly accounts: AccountService;
  readonly apiKeys: ApiKeys;
  readonly runs: RunService;
  /** As they were given. */
  readonly pipelines: readonly AnyPipeline[];
  /** Undefined where nothing is computed in this process. */
  readonly worker: RunWorker | undefined;
  /** Starts the worker, and what is kept of publications: files of places, texts of Items; safe to call twice. Without it the service serves and stores runs, and none is worked on. */
  start(): void;
  /** Ends streams, gives the worker `graceMs` (default 3000) and closes the stores. Safe to call twice. */
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
  const accounts = createAccountService({
    stores,
    tokens,
    hasher: options.hasher ?? createScryptHasher(),
    clock,
    logger,
    registration: options.registration ?? 'off',
    ...mailLinkOf(options.mail, baseUrl),
    ...(options.loginLimits === undefined ? {} : { limits: options.loginLimits }),
  });
  const apiKeys = createApiKeys({ stores, clock, logger, digest: sha256 });
  const signals = createRunSignals();
  const remedies = { ...DEFAULT_REMEDIES, ...options.remedies };
  const limits = { ...USER_LIMITS, ...options.userLimits };
  const operations = operationsOf(options, pipelines);
  const document = checkTable({ operations, pipelines }, { version, tags: options.tags ?? {} });
  const registry = createPipelineRegistry([...pipelines, orderPipeline]);
  const runs = createRunService({
    stores,
    signals,
    clock,
    remedies,
    openRunsPerUser: limits.openRuns,
    pipelines: registry,
    ...sourcesOf(options.compute),
  });
  const worker = makeWorker({ ...options, version, remedies }, { registry, stores, signals, clock, logger });
  const closing = new AbortController();
  const shared = { stores, accounts, runs, pipelines, publication, baseUrl, version, clock, logger };
  const healthDetails = createHealth({ version, stores, worker, clock, logger, ...probesOf(options) });
  const addresses = createAddresses(baseUrl, options.mapServerUrl);
  const kyl = createKylDownloads(stores);
  const placeFiles = placeFilesOf(options, { stores, kyl, signals, version, logger });
  const deps: ServiceDeps = {
    ...shared,
    addresses,
    featured: featuredPath(options),
    placeFiles,
    ...keptAnswersOf(stores, { addresses, kyl }),
    apiKeys,
    ...keyLimitsOf(options, clock, apiKeys),
    auth: { tokens, users: stores.users, apiKeys },
    canCompute: options.compute !== undefined,
    assets: options.compute?.assets,
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
  const itemTexts = createItemTexts({ ...stores, form: itemForm(publication), signals, timers: systemTimers, logger });
  const end = closer({ closing, worker, placeFiles, itemTexts, apiKeys, stores, compute: options.compute, endRelay });
  const service = createService({
    deps,
    operations,
    cors: { origins: options.corsOrigins ?? [] },
    bodyLimit: options.bodyLimit ?? MIB,
    validateResponses: options.validateResponses ?? false,
    logRequests: options.logRequests ?? false,
    onClose: end,
  });
  const start = (): void => {
    worker?.start();
    placeFiles?.start();
    itemTexts.start();
  };
  return { service, stores, accounts, apiKeys, runs, pipelines, worker, start, close: end };
}

function operationsOf(options: HeadwaterOptions, pipelines: readonly AnyPipeline[]): Operation[] {
  const { imports, activation, operations = [] } = options;
  return [...buildOperations(pipelines, { importBytes: imports?.maxBytes, activation }), ...operations];
}

/** Layers as map servers send them, kept beside the files of runs. */
function formsOf(
  { compute }: HeadwaterOptions,
  { stores: { lookups }, clock, logger }: Pick<ServiceDeps, 'stores' | 'clock' | 'logger'>,
): Pick<ServiceDeps, 'forms' | 'boundaryForms'> {
  const assets = compute?.assets;
  return {
    forms: createLayerForms({ assets, logger }),
    boundaryForms: createBoundaryForms({ lookups, assets, clock, logger }),
  };
}

type FileParts = Omit<PlaceFileParts, 'folder' | 'timers'>;

/** Answers about what is published that are made once for a version of it. */
function keptAnswersOf(
  stores: Stores,
  { addresses, kyl }: Pick<ServiceDeps, 'addresses' | 'kyl'>,
): Pick<ServiceDeps, 'summaries' | 'sheets' | 'outlines' | 'lists' | 'kyl'> {
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

/** What limits the use of API keys, where anything does. */
function keyLimitsOf(
  { apiKeyRequestsPerMinute, apiKeyRequestsPerDay }: HeadwaterOptions,
  clock: Clock,
  { usesToday }: ApiKeys,
): Pick<ServiceDeps, 'keyLimits' | 'keyQuota'> {
  const [minute, day] = [{ apiKeyRequestsPerMinute }, { apiKeyRequestsPerDay }].map(wholeNumberOf);
  return {
    keyLimits: minute === undefined ? undefined : createKeyLimits(minute, clock),
    keyQuota: day === undefined ? undefined : createKeyQuota(day, clock, usesToday),
  };
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
  return baseUrl.replace(/\/+$/, '');
}

/** What tells a pipeline's needs and inputs, where something is computed here. */
function sourcesOf(compute: ComputeParts | undefined): Pick<RunServiceDeps, 'earthObservation' | 'elevation'> {
  if (compute === undefined) return {};
  const { earthObservation, elevation } = compute;
  return { earthObservation, ...(elevation === undefined ? {} : { elevation }) };
}

interface WorkerParts {
  readonly registry: PipelineRegistry;
  readonly stores: Stores;
  readonly signals: RunSignals;
  readonly clock: Clock;
  readonly logger: Logger;
}

type WorkerOptions = Omit<HeadwaterOptions, 'remedies'> &
  Required<Pick<HeadwaterOptions, 'version'>> & { readonly remedies: Remedies };

function makeWorker(options: WorkerOptions, parts: WorkerParts): RunWorker | undefined {
  const { registry, stores, signals, clock, logger } = parts;
  const { compute, worker: settings = {}, version, remedies } = options;
  if (compute === undefined || settings === false) return undefined;
  const published = createPublishedLayers(stores, compute.assets);
  // Items are stored with a stand-in for the public address, so that a service that moves does not strand them.
  const addresses = storedAddresses(options.mapServerUrl);
  const places = stores.places;
  const now = (): Date => clock.now();
  return createRunWorker({
    runs: stores.runs,
    pipelines: registry,
    ports: { ...compute, places, published, addresses, remedies, version, now },
    checkItem: validateItem,
    signals,
    clock,
    logger,
    settings,
  });
}

type Probes = Omit<HealthSources, 'version' | 'stores' | 'worker' | 'clock' | 'logger'>;

function probesOf(options: HeadwaterOptions): Probes {
  const { compute, freeBytes, freeDisk } = options;
  return {
    pixels: options.pixelsHealth ?? compute?.pixels.probe?.bind(compute.pixels),
    scenes: options.scenesHealth ?? compute?.earthObservation.probe?.bind(compute.earthObservation),
    files: options.filesHealth ?? compute?.assets.probe?.bind(compute.assets),
    boundaries: options.boundariesHealth,
    freeBytes,
    freeDisk: { ...DISK_LIMITS, ...freeDisk },
    timers: systemTimers,
  };
}
