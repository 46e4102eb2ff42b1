import { DomainError } from '../errors.ts';
import type { PipelinePorts } from '../pipelines/pipeline.ts';
import type { Deliverable, Run, RunStore } from '../ports/runs.ts';
import type { Clock, Logger } from '../ports/host.ts';
import type { SceneEngines } from '../ports/scene-engines.ts';
import type { Timers } from '../timing/timers.ts';
import { withAccountScenes } from './account-scenes.ts';
import { concludeAttempt, type Ending } from './conclude.ts';
import { checkDataNames } from './data-check.ts';
import { checkLayerOwners } from './layer-owners.ts';
import { withReplacedYears } from './replaced-years.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { retrying, retryingPlaces, retryingReads, type RetryPolicy } from './retry.ts';
import { isCancelledWith, type RunSignals } from './signals.ts';
import { withTableAssets } from './table-assets.ts';
import type { AnyPipeline, ItemCheck, PipelineRegistry, WorkerSettings } from './types.ts';
import { createWeighing } from './weighing.ts';

interface ItemRules {
  readonly pipeline: string;
  readonly checkItem: ItemCheck;
}

/** Throws `internal` if an Item is invalid, so that no result of the run is published. */
function checkItems(items: Deliverable['items'], { pipeline, checkItem }: ItemRules): void {
  for (const { id, item } of items) {
    const faults = checkItem(item).filter((finding) => finding.severity === 'error');
    if (faults.length === 0) continue;
    const rules = faults.map(({ rule, pointer }) => `${rule} at ${pointer === '' ? 'the root' : pointer}`).join('; ');
    const message = `Item ${id} breaks these rules: ${rules}. Nothing was published; correct the pipeline ${pipeline}.`;
    throw new DomainError('internal', message);
  }
}

/** Dependencies of an attempt. */
export interface AttemptDeps {
  readonly runs: RunStore;
  readonly pipelines: Pick<PipelineRegistry, 'get'>;
  readonly ports: PipelinePorts;
  /** Scene engines of platforms, such as Earth Engine. */
  readonly sceneEngines?: SceneEngines | undefined;
  readonly checkItem: ItemCheck;
  readonly signals: RunSignals;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'leaseMs' | 'progressMs' | 'maxAttempts' | 'retryMs'>;
}

interface Interruption {
  readonly signal: AbortSignal;
  readonly why: () => 'lost' | 'cancelled' | 'shutdown' | undefined;
  readonly interrupt: (why: 'lost' | 'cancelled' | 'shutdown') => void;
}

const REASONS = {
  lost: 'another worker took the run over',
  cancelled: 'the run was cancelled',
  shutdown: 'the worker is stopping',
} as const;

/** Executes a claimed run and stores its outcome. Never rejects. */
export async function runAttempt(
  deps: AttemptDeps,
  { run, pipeline }: { readonly run: Run; readonly pipeline: AnyPipeline },
  shutdown: AbortSignal,
): Promise<void> {
  const interruption = createInterruption();
  const { interrupt } = interruption;
  const onShutdown = (): void => interrupt('shutdown');
  const reporter = createReporter({ ...deps, ...deps.settings, interrupt }, run);
  const onCancel = (id?: string): void => {
    if (isCancelledWith(run, id)) reporter.beatNow();
  };
  shutdown.addEventListener('abort', onShutdown);
  if (shutdown.aborted) onShutdown();
  deps.signals.on('cancel', onCancel);
  const policy: RetryPolicy = {
    timers: deps.timers,
    signal: interruption.signal,
    onRetry: retryLog(deps.logger, run.id),
  };
  try {
    const ending = await work(deps, { run, pipeline, reporter, interruption, policy });
    await concludeAttempt({ ...deps, assets: deps.ports.assets }, { run, ending, shutdown });
  } finally {
    shutdown.removeEventListener('abort', onShutdown);
    deps.signals.off('cancel', onCancel);
  }
}

interface Attempt {
  readonly run: Run;
  readonly pipeline: AnyPipeline;
  readonly reporter: Reporter;
  readonly interruption: Interruption;
  readonly policy: RetryPolicy;
}

async function work(deps: AttemptDeps, attempt: Attempt): Promise<Ending> {
  const { run, reporter, interruption, policy } = attempt;
  try {
    const published = retryingReads(deps.ports.published, [], policy);
    const output = withTableAssets(await execute(deps, attempt), deps.ports.addresses);
    const deliverable = await withReplacedYears(output, published, reporter.log);
    checkItems(deliverable.items, { pipeline: attempt.pipeline.name, checkItem: deps.checkItem });
    const owners = { ...deps, published };
    await retrying(() => checkLayerOwners(owners, { pipeline: attempt.pipeline, layers: deliverable.layers }), policy);
    // Publishing may be retried for longer than a lease, so the reporter continues to extend the lease.
    await reporter.stopEvents();
    const why = interruption.why();
    if (why === 'lost' || why === 'cancelled') return { kind: why };
    const outcome = await retrying(() => deps.runs.publish(run.id, run.token, deliverable), policy);
    return { kind: outcome === 'ok' ? 'published' : outcome };
  } catch (error) {
    await reporter.stopEvents();
    const why = interruption.why();
    return why === undefined ? { kind: 'failed', error } : { kind: why };
  } finally {
    await reporter.close();
  }
}

async function execute(
  deps: AttemptDeps,
  { run, pipeline, reporter, interruption, policy }: Attempt,
): Promise<Deliverable> {
  interruption.signal.throwIfAborted();
  const { call: _, sceneEngine: __, ...own } = run.params;
  const params = pipeline.params.safeParse(own);
  if (!params.success) {
    throw new DomainError('internal', `The parameters of run ${run.id} do not fit this version; start the run again.`, {
      cause: params.error,
    });
  }
  const weighing = createWeighing(pipeline.steps);
  const { places, published } = deps.ports;
  const ports = {
    ...deps.ports,
    places: retryingPlaces(places, policy),
    published: retryingReads(published, [], policy),
  };
  const context = {
    run,
    signal: interruption.signal,
    progress: (step: string, share: number, note?: string) => {
      const progress = weighing.note(step, share);
      reporter.progress({ progress, step, ...(note === undefined ? {} : { note }) });
    },
    log: reporter.log,
    logger: deps.logger,
  };
  const scenes = { engines: deps.sceneEngines, params: params.data, ports, run, log: reporter.log };
  const deliverable = await withAccountScenes(scenes, (own) => pipeline.execute(params.data, own, context));
  checkDataNames(pipeline, deliverable);
  return { ...deliverable, timings: { ...reporter.seconds(), ...deliverable.timings } };
}

function createInterruption(): Interruption {
  const stop = new AbortController();
  let first: keyof typeof REASONS | undefined;
  return {
    signal: stop.signal,
    why: () => first,
    interrupt: (why) => {
      first ??= why;
      if (!stop.signal.aborted) stop.abort(new DomainError('cancelled', `Stopped: ${REASONS[why]}.`));
    },
  };
}

function retryLog(logger: Logger, runId: string): (error: unknown) => void {
  return (error) =>
    logger.info(
      { runId, error: String(error) },
      'a request of a run to the database or the store of files failed; retrying',
    );
}
