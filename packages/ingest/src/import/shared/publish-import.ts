import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Deliverable, DomainError, isDomainError, type Run, type RunFailure, systemTimers } from '@headwater/core';
import { discardUnpublished, newRunId } from '@headwater/core/runs';
import type { ImportRequest, ImportKind } from './importer.ts';
import { checkGoesOn, type ImportDeps } from './import-deps.ts';

/** How long after the death of its process an import counts as at work. Drawing a layer can hold this thread for a while. */
const LEASE_MS = 5 * 60_000;
/** Pause between two extensions of the lease. */
const BEAT_MS = 60_000;
const MOST_ATTEMPTS = 3;

/** An import that is to be published. */
export interface ImportToPublish {
  readonly kind: ImportKind;
  readonly request: ImportRequest;
  readonly tehsilId: number;
  /** What is published, once the run is there by which it goes. */
  readonly make: (run: Run) => Promise<Deliverable>;
  /** Takes away what `make` wrote, where nothing was published. */
  readonly discard?: ((run: Run) => Promise<void>) | undefined;
}

/**
 * Publishes an import as a run of its own, in one transaction. It is told, replaced and removed by age as other runs are. Throws
 * `conflict` while another process is at the same file, and whatever `make` and the store throw; then nothing is published, unless the
 * store took the answer of the publication with it and does not answer any more: the same file again tells.
 */
export async function publishImport(deps: ImportDeps, given: ImportToPublish): Promise<void> {
  const run = await beginRun(deps, given);
  const ended = new AbortController();
  const kept = keepLease(deps, run, ended.signal);
  try {
    await publishRun(deps, run, given);
  } catch (error) {
    if (!(await wasPublished(deps, run, { error, discard: given.discard }))) throw error;
  } finally {
    ended.abort();
    await kept;
  }
}

async function publishRun({ stores }: ImportDeps, run: Run, { request, make }: ImportToPublish): Promise<void> {
  const deliverable = await make(run);
  checkGoesOn(request);
  const outcome = await stores.runs.publish(run.id, run.token, deliverable);
  if (outcome === 'cancelled') throw new DomainError('cancelled', 'The import was cancelled; nothing was stored.');
  if (outcome === 'lost')
    throw new DomainError(
      'conflict',
      `The import of ${nameOf(request)} was ended, or taken over by another one of the same file; it stored nothing. Import it again.`,
    );
}

/** Extends the lease until `ended` aborts: a run whose lease is over counts as one whose process died. Never rejects. */
async function keepLease(
  { stores: { runs }, timers = systemTimers }: ImportDeps,
  { id, token }: Run,
  ended: AbortSignal,
): Promise<void> {
  for (;;) {
    await timers.sleep(BEAT_MS, ended);
    if (ended.aborted) return;
    // A store that is away now may be back for the next one.
    await runs.heartbeat(id, token, { leaseMs: LEASE_MS }).catch(() => undefined);
  }
}

/** Ends a run at which something was thrown. True where it was published all the same, and only the answer was lost. */
async function wasPublished(
  { stores: { runs } }: ImportDeps,
  run: Run,
  { error, discard }: { readonly error: unknown } & Pick<ImportToPublish, 'discard'>,
): Promise<boolean> {
  try {
    // Waits for a publication that is still being committed, and changes nothing where it was.
    await runs.fail(run.id, run.token, failureOf(error));
    return await discardUnpublished(runs, run, async () => await discard?.(run));
  } catch {
    // Nobody knows what became of it: its files stay, and go with the folders of dead attempts where they belong to none.
    return false;
  }
}

async function beginRun(
  { stores, ownerId, now }: ImportDeps,
  { kind, request, tehsilId }: ImportToPublish,
): Promise<Run> {
  const digest = await digestOf(request);
  // One name for each file and tehsil: nobody claims it but who has the same file, also after a process that died at it. By what it
  // begins with, stores know a run that no worker takes up (`IMPORT_PIPELINE`).
  const pipeline = `import_${kind}:${tehsilId}:${digest.slice(0, 16)}`;
  const id = newRunId(now?.() ?? new Date());
  const params = {
    tehsilId,
    fileName: request.fileName.slice(0, 200).toWellFormed().replaceAll('\0', ' '),
    sha256: digest,
  };
  await stores.runs.enqueue({ id, pipeline, params, fingerprint: pipeline, ownerId });
  const claim = { workerId: `import ${id}`, leaseMs: LEASE_MS, pipelines: [pipeline], maxAttempts: MOST_ATTEMPTS };
  const run = await stores.runs.claim(claim);
  if (run === undefined) throw inHand(request);
  return run;
}

const nameOf = ({ fileName }: ImportRequest): string => JSON.stringify(fileName.slice(0, 200));

const inHand = (request: ImportRequest): DomainError =>
  new DomainError('conflict', `${nameOf(request)} is being imported already; try again when that has ended.`);

/** SHA-256 of the file, hex. */
export async function digestOf({ path, signal }: Pick<ImportRequest, 'path' | 'signal'>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk);
  return hash.digest('hex');
}

function failureOf(error: unknown): RunFailure {
  if (isDomainError(error)) return { code: error.code, message: error.message };
  return { code: 'internal', message: 'The import ended by an error that nobody foresaw; nothing was stored.' };
}
