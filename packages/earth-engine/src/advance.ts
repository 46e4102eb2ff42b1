import { type AssetStore, type EoAccount, messageOf } from '@headwater/core';
import { isDomainError } from '@headwater/core/errors';
import type { ClaimedExport, DatedLayer, DomainStores, EoExportChange } from '@headwater/core/ports';
import { isObject } from '@headwater/core/values';
import type { ServiceAccount } from '@headwater/net/google';
import { backoffMs } from '@headwater/net/retry';
import { placeSlug } from '@headwater/stac';
import { type GoogleApi, PlatformError } from './google-api.ts';

/** Rights that exports need. */
export const EARTH_ENGINE_SCOPES = [
  'https://www.googleapis.com/auth/earthengine',
  'https://www.googleapis.com/auth/devstorage.read_write',
] as const;

/** Settings of exports. */
export interface ExportSettings {
  /** Bucket in which files wait for their import; in the multi-region US or in us-central1. */
  readonly bucket: string;
  /** Folder of the assets below `projects/{project}/assets/`. */
  readonly folder: string;
  /** True: every user of the platform may read the assets. */
  readonly isPublic: boolean;
}

/** Parts of the service that a step uses. */
export interface StepParts {
  readonly stores: Pick<DomainStores, 'catalog' | 'eoAccounts' | 'eoExports' | 'lookups'>;
  readonly assets: Pick<AssetStore, 'open'>;
  readonly settings: ExportSettings;
  /** Reason why an account cannot be used now; undefined if it can. */
  readonly problemOf: (account: EoAccount) => Promise<string | undefined>;
  readonly serviceOf: (account: EoAccount) => Promise<ServiceAccount>;
  readonly apiOf: (service: ServiceAccount) => GoogleApi;
  readonly now: () => Date;
  /** A number in [0, 1). */
  readonly random: () => number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Pauses after failed steps. */
const BACKOFF = { firstPauseMs: 5 * SECOND_MS, longestPauseMs: 10 * MINUTE_MS } as const;
/** Pause before an account that cannot be used is checked again. */
const ACCOUNT_PAUSE_MS = 10 * MINUTE_MS;
/** Pause before the exports of earlier files of a layer are checked again. */
const EARLIER_PAUSE_MS = 5 * SECOND_MS;
/** Time for which an account counts as spent if the platform names none. */
const SPENT_MS = HOUR_MS;
/** An operation that takes longer is treated as failed. */
const LONGEST_OPERATION_MS = 24 * HOUR_MS;
/** Number of operations of one export that may fail. */
const MOST_ATTEMPTS = 3;
/** Longest reason of the platform that is stored, characters. */
const MOST_REASON = 300;
/** Property of an asset with the key of its file. */
const FILE_PROPERTY = 'headwater_file';

/** An export that cannot succeed without a change by a person. */
class FinalFailure extends Error {}

/** One export with the rights of its account. */
interface Rights {
  readonly claimed: ClaimedExport;
  readonly parts: StepParts;
  readonly api: GoogleApi;
  readonly project: string;
  readonly signal: AbortSignal;
}

/** An export of the present file of its layer. */
interface Step extends Rights {
  readonly layer: DatedLayer;
}

/**
 * Makes the next step of an export and returns the change to store: the file is uploaded and its import started, its operation is polled, or
 * the asset is made readable. Each step can be repeated: before an import is started, the asset and the operations of the project are checked.
 * Throws the signal's reason if it aborts.
 */
export async function advance(claimed: ClaimedExport, parts: StepParts, signal: AbortSignal): Promise<EoExportChange> {
  try {
    const layer = await currentLayer(claimed, parts);
    // A started import of a replaced file must end before the next file of the layer is imported. Otherwise it could end last, and the
    // asset would have the old pixels.
    if (layer === undefined && claimed.state === 'waiting') throw new FinalFailure(REPLACED);
    const account = await parts.stores.eoAccounts.byId(claimed.accountId);
    if (account === undefined)
      throw new FinalFailure('The account was removed; compute the layer with another account.');
    const problem = await parts.problemOf(account);
    if (problem !== undefined) return waiting(parts, ACCOUNT_PAUSE_MS, `Account ${account.id} ${problem}`);
    const service = await parts.serviceOf(account);
    if (service.projectId === undefined)
      throw new FinalFailure('The key of the account has no project_id; upload a new key, then retry.');
    if (isOfOtherProject(claimed, service.projectId)) {
      if (layer === undefined) throw new FinalFailure(REPLACED);
      return startedAgain(claimed, parts);
    }
    const rights = { claimed, parts, signal, api: parts.apiOf(service), project: service.projectId };
    if (layer === undefined) return await endReplaced(rights);
    const step = { ...rights, layer };
    return claimed.operation === null ? await begin(step) : await poll(step, claimed.operation);
  } catch (error) {
    signal.throwIfAborted();
    return await failed(error, claimed, parts);
  }
}

const isOfOtherProject = ({ assetPath }: ClaimedExport, project: string): boolean =>
  assetPath !== null && !assetPath.startsWith(`projects/${project}/assets/`);

/**
 * Change of an export whose account got a key of another project. The export begins again, because the key has no rights in the former
 * project.
 */
const startedAgain = ({ attempts }: ClaimedExport, parts: StepParts): EoExportChange => ({
  ...waiting(parts, 0, null),
  state: 'waiting',
  assetPath: null,
  source: null,
  operation: null,
  attempts: attempts + 1,
});

const waiting = ({ now }: StepParts, pauseMs: number, problem: string | null): EoExportChange => ({
  dueAt: new Date(now().getTime() + pauseMs).toISOString(),
  problem,
});

async function failed(error: unknown, claimed: ClaimedExport, parts: StepParts): Promise<EoExportChange> {
  const problem = messageOf(error);
  const failures = claimed.failures + 1;
  const pauseMs = backoffMs(Math.min(failures, 20), { ...BACKOFF, random: parts.random });
  if (error instanceof PlatformError && error.kind === 'quota') {
    const until = new Date(parts.now().getTime() + (error.retryAfterMs ?? SPENT_MS)).toISOString();
    await parts.stores.eoAccounts.change(claimed.accountId, { exhaustedUntil: until });
    return { dueAt: until, problem, failures };
  }
  const isFinal =
    error instanceof FinalFailure ||
    // The key of the account is wrong.
    (isDomainError(error) && ['input_data', 'validation'].includes(error.code)) ||
    (error instanceof PlatformError && ['denied', 'refused', 'missing'].includes(error.kind));
  if (isFinal) return { state: 'failed', problem, failures };
  const wanted = error instanceof PlatformError ? (error.retryAfterMs ?? 0) : 0;
  return { ...waiting(parts, Math.max(pauseMs, wanted), isDomainError(error) ? error.message : problem), failures };
}

const REPLACED = 'The layer was unpublished or computed again before this export ended.';

/** The layer of an export; undefined if another file was published for it, which has an export of its own. */
async function currentLayer(
  { workspace, layerName, assetKey }: ClaimedExport,
  { stores: { catalog } }: StepParts,
): Promise<DatedLayer | undefined> {
  const record = await catalog.layer(workspace, layerName);
  const dated = record === undefined ? [] : await catalog.layersOf(record.tehsilId);
  const layer = dated.find((each) => each.workspace === workspace && each.layerName === layerName);
  return layer?.assetKey === assetKey ? layer : undefined;
}

/** Waits until the import of a replaced file has ended, then removes the file from the bucket and throws `FinalFailure`. */
async function endReplaced(rights: Rights): Promise<EoExportChange> {
  const { claimed, parts, api, signal } = rights;
  const name = claimed.operation ?? (await startedOperation(rights));
  const operation =
    name === undefined
      ? undefined
      : await unlessMissing(api.request({ host: 'earthEngine', path: `/v1/${name}`, signal }));
  if (name !== undefined && operation !== undefined && operation['done'] !== true) {
    if (ageOf(operation, rights) <= LONGEST_OPERATION_MS) return running(parts, name);
  }
  await removeObject(rights);
  throw new FinalFailure(REPLACED);
}

/** True if an export of an earlier file of the layer has not ended. */
async function hasEarlier({ claimed, parts }: Step): Promise<boolean> {
  const open = await parts.stores.eoExports.openOf(claimed);
  return open.some(({ id }) => id !== claimed.id);
}

async function begin(step: Step): Promise<EoExportChange> {
  const { claimed, parts, api, project, signal } = step;
  const { eoExports } = parts.stores;
  const assetPath = claimed.assetPath ?? (await assetPathOf(step));
  if (claimed.assetPath === null) await keep(step, { assetPath });
  const known = await assetAt(step, assetPath);
  if (known === claimed.assetKey) return await finish(step, assetPath);
  if (known === 'other')
    throw new FinalFailure(`The asset ${assetPath} was not made by this service. Move or delete it, then retry.`);
  // An import may have been started although its response was lost.
  const started = claimed.state === 'running' ? await startedOperation(step) : undefined;
  if (started !== undefined) return running(parts, started);
  if (await hasEarlier(step))
    return waiting(parts, EARLIER_PAUSE_MS, 'It waits for the import of an earlier file of this layer.');
  const source = claimed.source ?? (await upload(step));
  if (claimed.source === null) await keep(step, { source });
  await makeFolders(step, assetPath);
  if (!(await eoExports.save(claimed, { state: 'running' }, { keeps: true }))) throw lost();
  const manifest = manifestOf(step, { assetPath, source });
  const request = {
    imageManifest: manifest,
    description: requestIdOf(claimed),
    overwrite: true,
    requestId: requestIdOf(claimed),
  };
  try {
    const path = `/v1/projects/${project}/image:import`;
    const { name } = await api.request({ host: 'earthEngine', path, method: 'POST', json: request, signal });
    if (typeof name !== 'string') throw new PlatformError('transient', 'The import has no name of an operation.');
    return running(parts, name);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'exists') throw error;
    // The platform knows the request id, so an earlier request was accepted.
    const earlier = await startedOperation(step);
    if (earlier === undefined)
      throw new PlatformError('transient', 'The operation of an earlier request is not listed yet.');
    return running(parts, earlier);
  }
}

const lost = (): PlatformError => new PlatformError('transient', 'Another process continues this export.');

/** Stores an intermediate result. Throws if another process has taken the export. */
async function keep({ claimed, parts }: Step, change: EoExportChange): Promise<void> {
  if (!(await parts.stores.eoExports.save(claimed, change, { keeps: true }))) throw lost();
}

const running = (parts: StepParts, operation: string): EoExportChange => ({
  ...waiting(parts, 3 * SECOND_MS + 2 * SECOND_MS * parts.random(), null),
  state: 'running',
  operation,
  failures: 0,
});

/** Id of a request for an import. It changes after an operation failed, because the platform accepts each id once. */
const requestIdOf = ({ id, attempts }: ClaimedExport): string => `${id}-${attempts}`;

/** `projects/{project}/assets/{folder}/{state}/{district}/{block}/{layer}` with the characters that names of assets may have. */
async function assetPathOf({ parts, project, layer }: Step): Promise<string> {
  const place = await parts.stores.lookups.namesOf(layer.tehsilId);
  const names = place === undefined ? [] : [place.state, place.district, place.tehsil];
  const slugs = [...names.map(placeSlug), layer.layerName].map((name) => name.replace(/[^A-Za-z0-9_-]/g, '_'));
  return ['projects', project, 'assets', parts.settings.folder, ...slugs].join('/');
}

/** Key of the file of an asset, `other` for an asset without such a key, undefined if there is no asset. */
async function assetAt(step: Step, assetPath: string): Promise<string | undefined> {
  const asset = await unlessMissing(
    step.api.request({ host: 'earthEngine', path: `/v1/${assetPath}`, signal: step.signal }),
  );
  if (asset === undefined) return undefined;
  const key = isObject(asset['properties']) ? asset['properties'][FILE_PROPERTY] : undefined;
  return typeof key === 'string' ? key : 'other';
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'missing') return undefined;
    throw error;
  }
}

/** The operation that an earlier request of this export started; undefined if there is none. */
async function startedOperation({ claimed, api, project, signal }: Rights): Promise<string | undefined> {
  let page = '';
  do {
    const path = `/v1/projects/${project}/operations?pageSize=100${page}`;
    const { operations, nextPageToken } = await api.request({ host: 'earthEngine', path, signal });
    for (const operation of Array.isArray(operations) ? operations : []) {
      if (!isObject(operation) || typeof operation['name'] !== 'string') continue;
      const metadata = isObject(operation['metadata']) ? operation['metadata'] : {};
      if (metadata['description'] === requestIdOf(claimed)) return operation['name'];
    }
    page =
      typeof nextPageToken === 'string' && nextPageToken !== ''
        ? `&pageToken=${encodeURIComponent(nextPageToken)}`
        : '';
  } while (page !== '');
  return undefined;
}

/** Name of the file in the bucket. */
const objectOf = ({ id }: ClaimedExport): string => `earth-engine/${id}.tif`;

/** Puts the file into the bucket. If an earlier request has stored the file, it is not replaced. */
async function upload({ claimed, parts, api, signal }: Step): Promise<string> {
  const { bucket } = parts.settings;
  const file = await parts.assets.open(claimed.assetKey);
  if (file === undefined) throw new FinalFailure('The file of the layer is missing; compute the layer again.');
  const query = `uploadType=media&ifGenerationMatch=0&name=${encodeURIComponent(objectOf(claimed))}`;
  const path = `/upload/storage/v1/b/${encodeURIComponent(bucket)}/o?${query}`;
  try {
    await api.request({ host: 'storage', path, method: 'POST', file: () => file.stream(0, file.bytes - 1), signal });
  } catch (error) {
    // With ifGenerationMatch=0 an object is only created as a whole, so an existing one is this file.
    if (!(error instanceof PlatformError) || error.kind !== 'exists') throw error;
  }
  return `gs://${bucket}/${objectOf(claimed)}`;
}

/** Makes the folders above an asset; those that exist stay. */
async function makeFolders({ api, project, signal }: Step, assetPath: string): Promise<void> {
  const root = `projects/${project}/assets/`;
  const names = assetPath.slice(root.length).split('/').slice(0, -1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const folder = names.slice(0, depth).join('/');
    if ((await unlessMissing(api.request({ host: 'earthEngine', path: `/v1/${root}${folder}`, signal }))) !== undefined)
      continue;
    const path = `/v1/projects/${project}/assets?assetId=${encodeURIComponent(folder)}`;
    try {
      await api.request({ host: 'earthEngine', path, method: 'POST', json: { type: 'FOLDER' }, signal });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== 'exists') throw error;
    }
  }
}

/** Manifest of an import. Each pixel of an overview is one pixel of its group: right for classes and measured values. */
function manifestOf(
  { claimed, layer }: Step,
  { assetPath, source }: { readonly assetPath: string; readonly source: string },
): object {
  const layerName = `${claimed.workspace}:${claimed.layerName}`;
  return {
    name: assetPath,
    tilesets: [{ id: '0', sources: [{ uris: [source] }] }],
    pyramidingPolicy: 'SAMPLE',
    ...(layer.start === null ? {} : { startTime: layer.start }),
    ...(layer.end === null ? {} : { endTime: layer.end }),
    properties: { [FILE_PROPERTY]: claimed.assetKey, headwater_layer: layerName },
  };
}

async function poll(step: Step, name: string): Promise<EoExportChange> {
  const { claimed, parts, api, signal } = step;
  const operation = await unlessMissing(api.request({ host: 'earthEngine', path: `/v1/${name}`, signal }));
  const assetPath = claimed.assetPath ?? (await assetPathOf(step));
  // The platform forgets operations after some days; the asset shows the result.
  if (operation === undefined)
    return (await assetAt(step, assetPath)) === claimed.assetKey
      ? await finish(step, assetPath)
      : ended(step, 'The platform no longer knows the operation.');
  const metadata = isObject(operation['metadata']) ? operation['metadata'] : {};
  const ageMs = ageOf(operation, step);
  if (operation['done'] !== true) {
    if (ageMs > LONGEST_OPERATION_MS) return ended(step, 'The operation took longer than a day.');
    const pauseMs = Math.min(MINUTE_MS, Math.max(3 * SECOND_MS + 2 * SECOND_MS * parts.random(), ageMs / 10));
    return { ...waiting(parts, pauseMs, null), failures: 0 };
  }
  const error = isObject(operation['error']) ? operation['error'] : undefined;
  if (error !== undefined) return ended(step, `The import failed: ${reasonOf(error)}`);
  if ((await assetAt(step, assetPath)) !== claimed.assetKey) return ended(step, 'Another import replaced the asset.');
  const seconds = metadata['batchEecuUsageSeconds'];
  return await finish(step, assetPath, typeof seconds === 'number' ? seconds : null);
}

/** Time since the start of an operation, ms. */
function ageOf(operation: Readonly<Record<string, unknown>>, { claimed, parts }: Rights): number {
  const metadata = isObject(operation['metadata']) ? operation['metadata'] : {};
  return parts.now().getTime() - timeOf(metadata['createTime'], claimed.createdAt);
}

/** Message of an operation's error. */
function reasonOf({ message }: Readonly<Record<string, unknown>>): string {
  return typeof message === 'string' ? message.slice(0, MOST_REASON) : 'no reason was given';
}

const timeOf = (time: unknown, otherwise: string): number => {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? Date.parse(otherwise) : ms;
};

/** Change after an operation that ended without an asset: another one is started later, or the export fails. */
function ended({ claimed, parts }: Step, problem: string): EoExportChange {
  const attempts = claimed.attempts + 1;
  if (attempts % MOST_ATTEMPTS === 0)
    return {
      state: 'failed',
      attempts,
      problem: `${problem} This was attempt ${attempts}; correct the cause, then retry.`,
    };
  const pauseMs = backoffMs(attempts, { ...BACKOFF, random: parts.random });
  return { ...waiting(parts, pauseMs, problem), state: 'waiting', operation: null, attempts };
}

/** Sets the rights of the asset, removes the file from the bucket, and ends the export. */
async function finish(step: Step, assetPath: string, eecuSeconds: number | null = null): Promise<EoExportChange> {
  if (step.parts.settings.isPublic) await publish(step, assetPath);
  await removeObject(step);
  return { state: 'done', problem: null, failures: 0, ...(eecuSeconds === null ? {} : { eecuSeconds }) };
}

/** Removes the file from the bucket to which it was uploaded; the setting may name another one since then. */
async function removeObject({ claimed, parts, api, signal }: Rights): Promise<void> {
  const bucket = /^gs:\/\/([^/]+)\//.exec(claimed.source ?? '')?.[1] ?? parts.settings.bucket;
  const path = `/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(objectOf(claimed))}`;
  await unlessMissing(api.request({ host: 'storage', path, method: 'DELETE', signal }));
}

const READERS = { role: 'roles/viewer', members: ['allUsers'] } as const;

/** Makes an asset readable by all; other rights stay. */
async function publish({ api, signal }: Step, assetPath: string): Promise<void> {
  const path = `/v1/${assetPath}`;
  const common = { host: 'earthEngine', method: 'POST', signal } as const;
  const { bindings, etag } = await api.request({ ...common, path: `${path}:getIamPolicy`, json: {} });
  const known = Array.isArray(bindings) ? bindings.filter(isObject) : [];
  if (
    known.some(({ role, members }) => role === READERS.role && Array.isArray(members) && members.includes('allUsers'))
  )
    return;
  const policy = { bindings: [...known, READERS], ...(typeof etag === 'string' ? { etag } : {}) };
  await api.request({ ...common, path: `${path}:setIamPolicy`, json: { policy } });
}
