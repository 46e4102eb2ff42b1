import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Deliverable, DomainError, isDomainError, newRunId, type Run, type RunFailure } from '@headwater/core';
import type { ImportJob, ImportKind } from './importer.ts';
import { checkGoesOn, type ImportDeps } from './import-deps.ts';

/** No worker has such a pipeline: the lease only matters to who sends the same file again after this process died. */
const LEASE_MS = 10 * 60_000;
const MOST_ATTEMPTS = 3;

/** An import that is to be published. */
export interface ImportToPublish {
  readonly kind: ImportKind;
  readonly job: ImportJob;
  readonly tehsilId: number;
  /** What is published, once the run is there by which it goes. */
  readonly make: (run: Run) => Promise<Deliverable>;
  /** Takes away what `make` wrote, where nothing was published. */
  readonly discard?: (run: Run) => Promise<void>;
}

/**
 * Publishes an import as a run of its own, in one transaction. It is told, replaced and removed by age as other runs are. Throws
 * `conflict` while another process is at the same file, and whatever `make` and the store throw; nothing is published then.
 */
export async function publishImport(deps: ImportDeps, given: ImportToPublish): Promise<void> {
  const { runs } = deps.stores;
  const run = await beginRun(deps, given);
  try {
    const deliverable = await given.make(run);
    checkGoesOn(given.job);
    const outcome = await runs.publish(run.id, run.token, deliverable);
    if (outcome === 'cancelled') throw new DomainError('cancelled', 'The import was cancelled; nothing was stored.');
    if (outcome === 'lost') throw inHand(given.job);
  } catch (error) {
    await runs.fail(run.id, run.token, failureOf(error)).catch(() => undefined);
    await given.discard?.(run).catch(() => undefined);
    throw error;
  }
}

async function beginRun({ stores, ownerId, now }: ImportDeps, { kind, job, tehsilId }: ImportToPublish): Promise<Run> {
  const digest = await digestOf(job);
  // One name for each file and tehsil: nobody claims it but who has the same file, also after a process that died at it.
  const pipeline = `import_${kind}:${tehsilId}:${digest.slice(0, 16)}`;
  const id = newRunId(now?.() ?? new Date());
  const params = {
    tehsilId,
    fileName: job.fileName.slice(0, 200).toWellFormed().replaceAll('\0', ' '),
    sha256: digest,
  };
  await stores.runs.enqueue({ id, pipeline, params, fingerprint: pipeline, ownerId });
  const claim = { workerId: `import ${id}`, leaseMs: LEASE_MS, pipelines: [pipeline], maxAttempts: MOST_ATTEMPTS };
  const run = await stores.runs.claim(claim);
  if (run === undefined) throw inHand(job);
  return run;
}

const inHand = ({ fileName }: ImportJob): DomainError =>
  new DomainError('conflict', `${JSON.stringify(fileName)} is being imported already; try again when that has ended.`);

/** SHA-256 of the file, hex. */
export async function digestOf({ path, signal }: Pick<ImportJob, 'path' | 'signal'>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk);
  return hash.digest('hex');
}

function failureOf(error: unknown): RunFailure {
  if (isDomainError(error)) return { code: error.code, message: error.message };
  return { code: 'internal', message: 'The import ended by an error that nobody foresaw; nothing was stored.' };
}
