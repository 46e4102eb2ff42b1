import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Deliverable, DomainError, isDomainError, type Run, type RunFailure, systemTimers } from '@headwater/core';
import { discardUnpublished, newRunId } from '@headwater/core/runs';
import { type ImportRequest, type ImportKind, throwIfStopped, type ImportDeps } from './import-deps.ts';

/**
 * Default lease of a run, ms. Long, because drawing a layer can block this thread, which then does not extend the
 * lease.
 */
const LEASE_MS = 5 * 60_000;
const BEATS = 5;
const MOST_ATTEMPTS = 3;

/** Import to publish. */
export interface ImportToPublish {
  readonly kind: ImportKind;
  readonly request: ImportRequest;
  readonly tehsilId: number;
  /** Makes the content, after the run is stored. */
  readonly make: (run: Run) => Promise<Deliverable>;
  /** Removes the files of `make`, if nothing was published. */
  readonly discard?: ((run: Run) => Promise<void>) | undefined;
}

/**
 * Publishes an import as a run, in one transaction. Throws `conflict` during another import of the file, and the errors
 * of `make` and the store. If the store fails during publication, the outcome is unknown until the next import of the
 * file.
 */
export async function publishImport(deps: ImportDeps, toPublish: ImportToPublish): Promise<void> {
  const run = await beginRun(deps, toPublish);
  const ended = new AbortController();
  const extended = extendLease(deps, run, ended.signal);
  try {
    await publishRun(deps, run, toPublish);
  } catch (error) {
    if (!(await wasPublished(deps, run, { error, discard: toPublish.discard }))) throw error;
  } finally {
    ended.abort();
    await extended;
  }
}

async function publishRun({ stores }: ImportDeps, run: Run, { request, make }: ImportToPublish): Promise<void> {
  const deliverable = await make(run);
  throwIfStopped(request);
  const outcome = await stores.runs.publish(run.id, run.token, deliverable);
  if (outcome === 'cancelled') throw new DomainError('cancelled', 'The import was cancelled; nothing was stored.');
  if (outcome === 'lost')
    throw new DomainError(
      'conflict',
      `The import of ${nameOf(request)} was ended, or replaced by another import of the same file; it stored nothing. Import it again.`,
    );
}

async function extendLease(
  { stores: { runs }, timers = systemTimers, leaseMs = LEASE_MS }: ImportDeps,
  { id, token }: Run,
  ended: AbortSignal,
): Promise<void> {
  for (;;) {
    await timers.sleep(leaseMs / BEATS, ended);
    if (ended.aborted) return;
    // A failed heartbeat is ignored, because the next one may reach the store in time.
    await runs.heartbeat(id, token, { leaseMs }).catch(() => undefined);
  }
}

/**
 * Marks a run as failed if it was not published. True if the run was published, for example if only the response was
 * lost.
 */
async function wasPublished(
  { stores: { runs } }: ImportDeps,
  run: Run,
  { error, discard }: { readonly error: unknown } & Pick<ImportToPublish, 'discard'>,
): Promise<boolean> {
  try {
    // `fail` waits for a commit in progress, and does not change a published run.
    await runs.fail(run.id, run.token, failureOf(error));
    return await discardUnpublished(runs, run, async () => await discard?.(run));
  } catch {
    // The outcome is unknown, so the files stay. If the run was not published, they are removed later, with the files
    // of dead attempts.
    return false;
  }
}

async function beginRun(
  { stores, ownerId, now, leaseMs = LEASE_MS, workerName = 'import', isDead }: ImportDeps,
  { kind, request, tehsilId }: ImportToPublish,
): Promise<Run> {
  const digest = await digestOf(request);
  // Unique for a file and tehsil, so that only an import of this file can claim the run. Workers of the queue do not
  // claim pipelines with the prefix `IMPORT_PIPELINE`.
  const pipeline = `import_${kind}:${tehsilId}:${digest.slice(0, 16)}`;
  const id = newRunId(now?.() ?? new Date());
  const params = {
    tehsilId,
    fileName: request.fileName.slice(0, 200).toWellFormed().replaceAll('\0', ' '),
    sha256: digest,
  };
  const { run: known } = await stores.runs.enqueue({ id, pipeline, params, fingerprint: pipeline, ownerId });
  if (known.workerId !== null && isDead?.(known.workerId) === true)
    await stores.runs.heartbeat(known.id, known.token, { leaseMs: 0 });
  const claim = { workerId: `${workerName} ${id}`, leaseMs, pipelines: [pipeline], maxAttempts: MOST_ATTEMPTS };
  const run = await stores.runs.claim(claim);
  if (run === undefined) throw alreadyRunning(request);
  return run;
}

const nameOf = ({ fileName }: ImportRequest): string => JSON.stringify(fileName.slice(0, 200));

/** `details.reason` of the error for a file that is being imported. */
export const BEING_IMPORTED = 'being_imported';

const alreadyRunning = (request: ImportRequest): DomainError =>
  new DomainError('conflict', `${nameOf(request)} is being imported already; try again when that import has ended.`, {
    details: { reason: BEING_IMPORTED },
  });

/** SHA-256 of the file, hex. */
export async function digestOf({ path, signal }: Pick<ImportRequest, 'path' | 'signal'>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk);
  return hash.digest('hex');
}

function failureOf(error: unknown): RunFailure {
  if (isDomainError(error)) return { code: error.code, message: error.message };
  return {
    code: 'internal',
    message: 'The import ended with an unexpected error; nothing was stored. Import the file again.',
  };
}
