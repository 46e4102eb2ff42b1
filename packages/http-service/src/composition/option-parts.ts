import { type AssetStore, type Clock, systemTimers } from '@headwater/core';
import { observedRunStore, type RunSignals, WORKER_DEFAULTS } from '@headwater/core/runs';
import {
  type AccountDeps,
  type AccountService,
  type ApiKeyPrincipal,
  type ApiKeys,
  type AuthDeps,
  createAccountService,
  type MailSender,
  type RequestLimit,
  RESET_TTL_SECONDS,
  type Stores,
} from '@headwater/identity';
import type { MapServer } from '@headwater/core/ports';
import { collectionPath } from '@headwater/stac';
import type { Ports, ServiceDeps } from '../deps.ts';
import { passwordLinkMail } from '../features/accounts/schemas/passwords.ts';
import { createScryptHasher } from '../features/accounts/scrypt-hasher.ts';
import { type AuditUpkeep, createAuditUpkeep } from '../features/admin/audit-upkeep.ts';
import { buildOperations } from '../features/index.ts';
import { createPlaceOutlines } from '../features/discovery/place-outlines.ts';
import { createBoundaryForms } from '../features/maps/boundary-forms.ts';
import { createLayerForms } from '../features/maps/layer-forms.ts';
import { createMapLayers } from '../features/maps/map-layers.ts';
import { createCheckedUploads } from '../features/runs/handlers/checked-uploads.ts';
import { IMPORT_BYTES } from '../features/runs/handlers/import-upload.ts';
import { createNewestCache } from '../layers/newest-cache.ts';
import { createEoAccess } from '../seam/eo-access.ts';
import type { EoExporter, EoExporterParts } from '../seam/eo-exporter.ts';
import { createPublicLists } from '../features/public-data/sheets/public-lists.ts';
import { createTehsilSheets } from '../features/public-data/sheets/tehsil-sheets.ts';
import {
  createPlaceFiles,
  type PlaceFileParts,
  type PlaceFiles,
} from '../features/public-data/workbook/place-files.ts';
import { createTehsilOutlines } from '../features/reports/tehsil-outlines.ts';
import type { ImportParts, SettledOptions } from '../headwater-options.ts';
import { DISK_LIMITS, type HealthSources } from '../health/create-health.ts';
import { createLayerSummaries } from '../layers/layer-summaries.ts';
import { createKeyLimits, createKeyQuota } from '../limits/key-limits.ts';
import type { Operation } from '../rows/operation.ts';
import { workflowAccessOf } from '../features/work-service/workflow-policy.ts';
import { type HostCheck, hostUserCheck } from '../sessions/host-sign-in.ts';
import { createScreens, ownOriginTest, screensKind, type ScreensOption } from '../sessions/screens.ts';
import { createMapPublisher, type MapPublisherParts } from '../features/maps/map-publisher.ts';
import { ownMapServer, paths } from '../wire/paths.ts';

const DAY_SECONDS = 86_400;

/** Creates the importers of a service. */
export function serviceImports(
  parts: ImportParts | undefined,
  { stores, signals }: { readonly stores: Stores; readonly signals: RunSignals },
): ServiceDeps['imports'] {
  if (parts === undefined) return undefined;
  const observed = { ...stores, runs: observedRunStore(stores.runs, signals) };
  const checkedUploads = createCheckedUploads(parts.maxBytes ?? IMPORT_BYTES);
  return { importers: parts.importers(observed), scratchDir: parts.scratchDir, checkedUploads };
}

type AccountParts = Pick<AccountDeps, 'stores' | 'tokens' | 'clock' | 'logger'> & { readonly baseUrl: string };

/** Creates the service of accounts. */
export function accountsOf(options: SettledOptions, { baseUrl, ...parts }: AccountParts): AccountService {
  return createAccountService({
    ...parts,
    hasher: options.hasher ?? createScryptHasher(),
    registration: options.registration ?? 'off',
    ...mailLinkOf(options.mail, baseUrl),
    ...(options.login === undefined ? {} : { limits: options.login }),
  });
}

/** The operations of the features, followed by the operations of the options. */
export function operationsOf(
  options: SettledOptions,
  { pipelines, baseUrl }: Ports<'pipelines' | 'baseUrl'>,
): Operation[] {
  const { imports, activation, operations = [], corsOrigins: origins = [] } = options;
  const work = options.workService ?? { onlyAccounts: true };
  const workflowAccess = workflowAccessOf(options.workService);
  const ownPages = { baseUrl, origins };
  const callers = options.remedies?.callers;
  const mapServer = options.mapServer !== undefined;
  const rules = { activation, workflowAccess, pages: screensKind(pagesOf(options)), mapServer };
  const isOfHost = options.authenticate !== undefined;
  const settings = {
    importBytes: imports?.maxBytes,
    ...rules,
    metrics: options.metrics ?? (false as const),
    work,
    ownPages,
    callers,
    isOfHost,
    mount: options.mount,
  };
  return [...buildOperations(pipelines, settings), ...operations];
}

/** Removal of old entries of the audit log. */
export function auditUpkeepOf(
  { auditDays: days }: SettledOptions,
  { stores, clock, logger }: Ports<'stores' | 'clock' | 'logger'>,
): AuditUpkeep {
  return createAuditUpkeep({ audit: stores.audit, days, clock, timers: systemTimers, logger });
}

/** Store of published files; undefined if there is none. */
export const assetsOf = ({ files }: SettledOptions): AssetStore | undefined => files;

/** Access to Earth-observation accounts, and the exporter to Earth Engine. */
export function eoPartsOf(
  options: SettledOptions,
  parts: Pick<EoExporterParts, 'clock' | 'logger' | 'signals'> & Ports<'stores'>,
): Ports<'eoAccess'> & { readonly eoExporter: EoExporter | undefined } {
  const { eoCredentials: credentials, eoExporter } = options;
  const sceneEngines = options.compute?.sceneEngines;
  const eoAccess = createEoAccess({ ...parts, credentials, canExport: eoExporter !== undefined, sceneEngines });
  const assets = assetsOf(options);
  if (assets === undefined) return { eoAccess, eoExporter: undefined };
  const { problemOf } = eoAccess;
  return { eoAccess, eoExporter: eoExporter?.({ ...parts, assets, problemOf, timers: systemTimers }) };
}

/** True if this process, a backend or another process computes new runs. */
export const canComputeOf = ({ compute, backend, worker }: SettledOptions): boolean =>
  compute !== undefined || backend !== undefined || worker === false;

/** The map server, and the builders of WFS responses. */
export function formsOf(
  options: SettledOptions,
  parts: Ports<'stores' | 'logger' | 'baseUrl' | 'publication'> & Pick<MapPublisherParts, 'signals'>,
): Ports<'forms' | 'boundaryForms' | 'mapServer' | 'mapPublisher'> {
  const assets = assetsOf(options);
  const { stores, logger, signals } = parts;
  const { lookups, operatorLists: lists, installation } = stores;
  const server = mapServerOf(options, parts);
  const publishing = { lists, installation, signals, logger, timers: systemTimers };
  return {
    forms: createLayerForms({ assets, logger }),
    boundaryForms: createBoundaryForms(lookups),
    mapServer: server,
    // The embedded map server reads the stores, so nothing is published to it.
    mapPublisher:
      server === undefined || server.kind === 'embedded' ? undefined : createMapPublisher({ server, ...publishing }),
  };
}

function mapServerOf(
  options: SettledOptions,
  { stores, baseUrl, publication }: Ports<'stores' | 'baseUrl' | 'publication'>,
): MapServer | undefined {
  const assets = assetsOf(options);
  const [provider] = publication.providers;
  return options.mapServer?.({
    layers: createMapLayers({ ...stores, assets, baseUrl }),
    commonStyles: (options.pipelines ?? []).flatMap(({ styles = [] }) => styles),
    openFile: async (key) => await assets?.open(key),
    localPath: async (key) => await assets?.localPath?.(key),
    pixels: undefined,
    url: ownMapServer(baseUrl),
    openApiUrl: baseUrl + paths.openApi,
    title: publication.title,
    provider: provider?.name ?? publication.title,
  });
}

type FileParts = Omit<PlaceFileParts, 'folder' | 'timers'>;

/** Caches of responses about published data, by version. */
export function cachesOf(
  stores: Stores,
  { addresses, kyl, clock, hasExports }: Ports<'addresses' | 'kyl' | 'clock'> & { readonly hasExports: boolean },
): Ports<'newest' | 'summaries' | 'sheets' | 'outlines' | 'placeOutlines' | 'lists' | 'kyl'> {
  return {
    newest: createNewestCache(stores.catalog),
    summaries: createLayerSummaries(stores.catalog),
    sheets: createTehsilSheets(stores.data),
    outlines: createTehsilOutlines(stores),
    placeOutlines: createPlaceOutlines(stores, clock),
    lists: createPublicLists({ ...stores, addresses, hasExports }),
    kyl,
  };
}

/** Files of places in the export folder; undefined without that folder. */
export function placeFilesOf({ exportFolder: folder }: SettledOptions, parts: FileParts): PlaceFiles | undefined {
  return folder === undefined ? undefined : createPlaceFiles({ ...parts, folder, timers: systemTimers });
}

function mailLinkOf(mail: MailSender | undefined, baseUrl: string): Pick<AccountDeps, 'mailLink'> {
  if (mail === undefined) return {};
  const days = RESET_TTL_SECONDS / DAY_SECONDS;
  return { mailLink: (mailed) => mail.send(passwordLinkMail(mailed, { baseUrl, days })) };
}

type AccessParts = Ports<'stores' | 'clock' | 'logger' | 'baseUrl' | 'apiKeys'> & Pick<AuthDeps, 'tokens'>;

/** Sign-in of the pages, and dependencies of the auth policies. */
export function accessOf(options: SettledOptions, parts: AccessParts): Ports<'auth' | 'screens'> {
  const { stores, clock, apiKeys, tokens } = parts;
  const host = hostOf(options, parts);
  const screens = createScreens(pagesOf(options), { ...parts, host });
  const keyLimits = keyLimitsOf(options, clock, apiKeys);
  return { screens, auth: { tokens, users: stores.users, apiKeys, keyLimits, sessions: screens.check, host } };
}

function hostOf(
  { authenticate, corsOrigins: origins = [] }: SettledOptions,
  { stores, baseUrl, logger }: Ports<'stores' | 'baseUrl' | 'logger'>,
): HostCheck | undefined {
  if (authenticate === undefined) return undefined;
  return hostUserCheck(authenticate, { stores, baseUrl, origins, isOwnOrigin: ownOriginTest(baseUrl), logger });
}

/** Pages for people. If the host signs users in, the pages are off without the address of the host's sign-in page. */
function pagesOf({ authenticate, signIn, pages }: SettledOptions): ScreensOption | undefined {
  if (authenticate === undefined) return pages;
  return pages === 'off' || signIn === undefined ? 'off' : { userOf: () => undefined, signIn };
}

function keyLimitsOf(
  { apiKeyRequestsPerMinute, apiKeyRequestsPerDay }: SettledOptions,
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

/** Path of the Collection that the first page always shows. */
export function featuredPath({ featured }: SettledOptions): string | undefined {
  return featured === undefined ? undefined : collectionPath(featured.state, featured.district, featured.tehsil);
}

/** The public address without trailing slash. */
export function publicAddress(baseUrl: string): string {
  // A percent-encoded address is safe in JSON texts and in headers.
  return new URL(baseUrl).href.replace(/\/+$/, '');
}

type Probes = Omit<HealthSources, 'version' | 'stores' | 'worker' | 'closing' | 'clock' | 'logger'>;

/** Probes of the health check. */
export function probesOf(options: SettledOptions, orchestrator: Probes['orchestrator']): Probes {
  const { compute, freeBytes, freeDisk } = options;
  const assets = assetsOf(options);
  const isElsewhere = options.worker === false;
  return {
    queue: isElsewhere ? WORKER_DEFAULTS.queue : undefined,
    pixels: options.pixelsHealth ?? compute?.pixels.probe?.bind(compute.pixels),
    scenes: options.scenesHealth ?? compute?.earthObservation.probe?.bind(compute.earthObservation),
    files: options.filesHealth ?? assets?.probe?.bind(assets),
    boundaries: options.boundariesHealth,
    bucket: options.bucketHealth,
    fault: options.fault,
    orchestrator,
    freeBytes,
    freeDisk: { ...DISK_LIMITS, ...freeDisk },
    warnings: options.warnings,
    timers: systemTimers,
  };
}
