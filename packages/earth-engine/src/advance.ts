import { type EoAccount, messageOf } from '@headwater/core';
import { isDomainError } from '@headwater/core/errors';
import type { ClaimedExport, DatedLayer, EoExportChange } from '@headwater/core/ports';
import { isObject } from '@headwater/core/values';
import { backoffMs } from '@headwater/net/retry';
import { PlatformError } from './google-api.ts';
import { assetAt, assetPathOf, makeFolders, publish } from './steps/asset.ts';
import { ageOf, reasonOf, startedOperation, startImport } from './steps/operation.ts';
import { removeObject, sourceOf, upload } from './steps/staging.ts';
import {
  FinalFailure,
  type Hold,
  keep,
  type Rights,
  type Step,
  type StepParts,
  unlessMissing,
  waiting,
} from './steps/step.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const BACKOFF = { firstPauseMs: 5 * SECOND_MS, longestPauseMs: 10 * MINUTE_MS } as const;
const ACCOUNT_PAUSE_MS = 10 * MINUTE_MS;
const EARLIER_PAUSE_MS = 5 * SECOND_MS;
/** Time for which a quota counts as spent if the platform states no time. */
const SPENT_MS = HOUR_MS;
const LONGEST_OPERATION_MS = 24 * HOUR_MS;
const MOST_ATTEMPTS = 3;

/**
 * Makes the next step of an export and returns the change to store. Each step can be repeated. Throws the reason of an
 * abort.
 */
export async function advance(claimed: ClaimedExport, parts: StepParts, hold: Hold): Promise<EoExportChange> {
  let rights: Rights | undefined;
  let change: EoExportChange;
  try {
    const layer = await currentLayer(claimed, parts);
    // An export without asset path has not uploaded a file, so it can fail without removing a file.
    if (layer === undefined && claimed.assetPath === null) throw new FinalFailure(REPLACED);
    const account = await accountOf(claimed, parts);
    const problem = await parts.problemOf(account);
    if (problem !== undefined) return waiting(parts, ACCOUNT_PAUSE_MS, `Account ${account.id} ${problem}`);
    const service = await parts.serviceOf(account);
    if (service.projectId === undefined)
      throw new FinalFailure('The key of the account has no project_id; upload a new key, then retry.');
    rights = { claimed, parts, hold, signal: hold.signal, api: parts.apiOf(service), project: service.projectId };
    change = await next(rights, layer);
  } catch (error) {
    hold.signal.throwIfAborted();
    change = await failed(error, claimed, parts);
  }
  return change.state === 'failed' ? await withoutFile(change, claimed, rights) : change;
}

async function accountOf({ accountId }: ClaimedExport, { stores }: StepParts): Promise<EoAccount> {
  const account = await stores.eoAccounts.byId(accountId);
  if (account !== undefined) return account;
  throw new FinalFailure('The account was removed; compute the layer with another account.');
}

async function next(rights: Rights, layer: DatedLayer | undefined): Promise<EoExportChange> {
  const { claimed, parts, project } = rights;
  if (isOfOtherProject(claimed, project)) {
    if (layer === undefined) throw new FinalFailure(REPLACED);
    return startedAgain(claimed, parts);
  }
  if (layer === undefined) return await endReplaced(rights);
  const step = { ...rights, layer };
  return claimed.operation === null ? await begin(step) : await poll(step, claimed.operation);
}

const isOfOtherProject = ({ assetPath }: ClaimedExport, project: string): boolean =>
  assetPath !== null && !assetPath.startsWith(`projects/${project}/assets/`);

/** Change that restarts an export, because the account's new key has no rights in the former project. */
const startedAgain = ({ attempts }: ClaimedExport, parts: StepParts): EoExportChange => ({
  ...waiting(parts, 0, null),
  state: 'waiting',
  assetPath: null,
  source: null,
  operation: null,
  attempts: attempts + 1,
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
  if (isFinal(error)) return { state: 'failed', problem, failures };
  const wanted = error instanceof PlatformError ? (error.retryAfterMs ?? 0) : 0;
  return { ...waiting(parts, Math.max(pauseMs, wanted), isDomainError(error) ? error.message : problem), failures };
}

const isFinal = (error: unknown): boolean =>
  error instanceof FinalFailure ||
  (isDomainError(error) && ['input_data', 'validation'].includes(error.code)) ||
  (error instanceof PlatformError && ['denied', 'refused', 'missing'].includes(error.kind));

/** Removes the file of a failed export from the bucket. If the file cannot be removed, the stored reason names it. */
async function withoutFile(
  change: EoExportChange,
  claimed: ClaimedExport,
  rights: Rights | undefined,
): Promise<EoExportChange> {
  const note = (address: string): EoExportChange => ({
    ...change,
    problem: `${change.problem ?? ''} The file ${address} may still be in the bucket; remove it there.`,
  });
  if (rights === undefined) return claimed.source === null ? change : note(claimed.source);
  try {
    await removeObject(rights);
    return { ...change, source: null };
  } catch (error) {
    rights.signal.throwIfAborted();
    if (!isFinal(error)) return await failed(error, claimed, rights.parts);
    const stored = await rights.parts.stores.eoExports.byId(claimed.id);
    return (stored?.source ?? null) === null ? change : note(sourceOf(rights));
  }
}

const REPLACED = 'The layer was unpublished or computed again before this export ended.';

async function currentLayer(
  { workspace, layerName, assetKey }: ClaimedExport,
  { stores: { catalog } }: StepParts,
): Promise<DatedLayer | undefined> {
  const record = await catalog.layer(workspace, layerName);
  const dated = record === undefined ? [] : await catalog.layersOf(record.tehsilId);
  const layer = dated.find((each) => each.workspace === workspace && each.layerName === layerName);
  return layer?.assetKey === assetKey ? layer : undefined;
}

/**
 * Waits for the running import of a replaced file. Otherwise the import of the new file could end first, and the asset
 * would get the old pixels. Throws `FinalFailure` if no import is running, or if the import takes too long.
 */
async function endReplaced(rights: Rights): Promise<EoExportChange> {
  const { claimed, parts, api, signal } = rights;
  const isStarted = claimed.state === 'running';
  const name = claimed.operation ?? (isStarted ? await startedOperation(rights) : undefined);
  const operation =
    name === undefined
      ? undefined
      : await unlessMissing(api.request({ host: 'earthEngine', path: `/v1/${name}`, signal }));
  if (name !== undefined && operation !== undefined && operation['done'] !== true) {
    if (ageOf(operation, rights) <= LONGEST_OPERATION_MS) return running(parts, name);
  }
  throw new FinalFailure(REPLACED);
}

async function hasEarlier({ claimed, parts }: Step): Promise<boolean> {
  const open = await parts.stores.eoExports.openOf(claimed);
  return open.some(({ id }) => id !== claimed.id);
}

async function begin(step: Step): Promise<EoExportChange> {
  const { claimed, parts } = step;
  const assetPath = claimed.assetPath ?? (await assetPathOf(step));
  if (claimed.assetPath === null) await keep(step, { assetPath });
  const known = await assetAt(step, assetPath);
  if (known === claimed.assetKey) return await finish(step, assetPath);
  if (known === 'other')
    throw new FinalFailure(`The asset ${assetPath} was not made by this service. Move or delete it, then retry.`);
  // An earlier attempt may have started an import without receiving the response.
  const started = claimed.state === 'running' ? await startedOperation(step) : undefined;
  if (started !== undefined) return running(parts, started);
  if (await hasEarlier(step))
    return waiting(parts, EARLIER_PAUSE_MS, 'The export waits for an earlier import of this layer.');
  const source = claimed.source ?? (await upload(step));
  if (claimed.source === null) await keep(step, { source });
  await makeFolders(step, assetPath);
  await keep(step, { state: 'running' });
  return running(parts, await startImport(step, { assetPath, source }));
}

const running = (parts: StepParts, operation: string): EoExportChange => ({
  ...waiting(parts, 3 * SECOND_MS + 2 * SECOND_MS * parts.random(), null),
  state: 'running',
  operation,
  failures: 0,
});

async function poll(step: Step, name: string): Promise<EoExportChange> {
  const { claimed, parts, api, signal } = step;
  const operation = await unlessMissing(api.request({ host: 'earthEngine', path: `/v1/${name}`, signal }));
  const assetPath = claimed.assetPath ?? (await assetPathOf(step));
  // The platform deletes operations after some days, so a missing operation may have succeeded.
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

/** Change for an operation without an asset: another operation starts later; each third attempt fails instead. */
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

async function finish(step: Step, assetPath: string, eecuSeconds: number | null = null): Promise<EoExportChange> {
  if (step.parts.settings.isPublic) await publish(step, assetPath);
  await removeObject(step);
  return { state: 'done', problem: null, failures: 0, ...(eecuSeconds === null ? {} : { eecuSeconds }) };
}
