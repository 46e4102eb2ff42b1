import type { ResolvePorts } from '../pipelines/pipeline.ts';
import { unmetNeed, type UnmetNeed, type MissingNeed, nameOfNeed, type Need } from '../pipelines/needs.ts';
import { DomainError } from '../errors.ts';
import type { NewRun, RunBackend } from '../ports/runs.ts';
import { newRun } from './new-run.ts';
import type { AnyPipeline, PipelineRegistry } from './types.ts';

/** Maximum length of a chain of pipelines in which each pipeline needs the next. */
const MAX_DEPTH = 10;

/** Dependencies of the functions that plan runs. */
export interface PlanDeps {
  readonly ports: ResolvePorts;
  readonly pipelines: Pick<PipelineRegistry, 'get'>;
  /** Backend of new runs. */
  readonly backend: RunBackend;
}

/** Ids of the runs for which a run waits, and the names of their results. */
export type AwaitedRuns = Required<Pick<NewRun, 'after' | 'awaits'>>;

/** Runs planned for one request, each after the runs for which it waits. */
export interface RunPlan {
  /** Owner of all planned runs; `requestId` is the id of the HTTP request. */
  readonly ownerId: number;
  readonly requestId?: string | undefined;
  readonly parentId: string;
  readonly runs: NewRun[];
}

/** A run whose needs are checked. */
export interface RunToPlan {
  readonly pipeline: AnyPipeline;
  readonly params: unknown;
  /** Pipelines whose runs wait for this run, the pipeline of the request first. */
  readonly behind: readonly string[];
}

/** Returns the unmet needs of a run. Throws `internal` if a need's pipeline is not in `dependsOn`. */
export async function missingNeeds(
  { ports, backend }: PlanDeps,
  { pipeline, params }: RunToPlan,
): Promise<readonly UnmetNeed[]> {
  const needs = (await pipeline.needs?.(params, ports)) ?? [];
  for (const need of needs) {
    if (need.kind === 'dem' || need.pipeline === undefined) continue;
    if ((pipeline.dependsOn ?? []).includes(need.pipeline)) continue;
    const text = `Pipeline ${pipeline.name} needs ${nameOfNeed(need)} of pipeline ${need.pipeline}, which its dependsOn does not name; add it there.`;
    throw new DomainError('internal', text);
  }
  // A process without a source of elevations does not check the elevations of an orchestrator's run, because the
  // orchestrator may have a source.
  const canCheckHere = ({ kind }: Need): boolean =>
    kind !== 'dem' || ports.elevation !== undefined || backend === 'local';
  const unmet = await Promise.all(needs.filter(canCheckHere).map((need) => unmetNeed(need, ports)));
  return unmet.filter((each) => each !== undefined);
}

/** Creates the error for a run with unmet needs. */
export function missingLayer(
  { pipelines, ports }: Pick<PlanDeps, 'pipelines' | 'ports'>,
  missing: readonly UnmetNeed[],
): DomainError {
  const details = missing.map(({ need, isOfOtherBoundary }): MissingNeed => {
    const { kind } = need;
    const found = makerOf(pipelines, need);
    const by = found === undefined ? {} : { route: found.maker.route, request: found.request };
    const remedy = remedyOf(need, ports);
    return {
      name: nameOfNeed(need),
      kind,
      ...(isOfOtherBoundary ? { isOfOtherBoundary } : {}),
      ...by,
      ...(remedy === undefined ? {} : { remedy }),
    };
  });
  const names = details
    .map(({ name, isOfOtherBoundary }) =>
      isOfOtherBoundary === true ? `${name} (computed for an earlier boundary)` : name,
    )
    .join(', ');
  return new DomainError('missing_layer', `Needed data is missing: ${names}.`, { details: { missing: details } });
}

function remedyOf(need: Need, { remedies }: Pick<ResolvePorts, 'remedies'>): string | undefined {
  if (need.kind === 'dem') return remedies.elevation;
  return need.kind === 'layer' ? need.remedy : undefined;
}

/**
 * Plans the runs for missing data; returns the runs to wait for. Throws `missing_layer` if no pipeline makes the data.
 */
export async function planMakers(
  deps: PlanDeps,
  plan: RunPlan,
  { missing, behind }: { readonly missing: readonly UnmetNeed[]; readonly behind: readonly string[] },
): Promise<AwaitedRuns> {
  const waits = new Map<string, string[]>();
  for (const each of missing) {
    const { need } = each;
    const found = makerOf(deps.pipelines, need);
    if (found === undefined) throw missingLayer(deps, [each]);
    const id = await planMaker(deps, plan, { ...found, behind });
    waits.set(id, [...(waits.get(id) ?? []), nameOfNeed(need)]);
  }
  return { after: [...waits.keys()], awaits: Array.from(waits.values(), (names) => names.join(' and ')) };
}

interface Maker {
  readonly maker: AnyPipeline;
  readonly request: Readonly<Record<string, unknown>>;
}

function makerOf(pipelines: PlanDeps['pipelines'], need: Need): Maker | undefined {
  if (need.kind === 'dem' || need.pipeline === undefined) return undefined;
  const maker = pipelines.get(need.pipeline);
  return maker === undefined ? undefined : { maker, request: need.request };
}

async function planMaker(
  deps: PlanDeps,
  plan: RunPlan,
  { request, maker, behind }: Maker & { readonly behind: readonly string[] },
): Promise<string> {
  if (behind.includes(maker.name) || behind.length >= MAX_DEPTH) {
    const way = [...behind, maker.name].join(' -> ');
    throw new DomainError(
      'internal',
      `The needs of pipelines form a circle, or a chain of more than ${MAX_DEPTH} pipelines: ${way}.`,
    );
  }
  const params = await maker.resolve(maker.request.parse(request), deps.ports);
  return planRun(deps, plan, { pipeline: maker, params, behind });
}

/**
 * Plans a run and the runs that it needs; returns the id of the run. If an equal run is already planned, returns the id
 * of that run.
 */
export async function planRun(
  deps: PlanDeps,
  plan: RunPlan,
  { waits = { after: [], awaits: [] }, ...wanted }: RunToPlan & { readonly waits?: AwaitedRuns },
): Promise<string> {
  const { pipeline, params } = wanted;
  const run = newRun({ ...plan, pipeline, params, now: deps.ports.now(), backend: deps.backend });
  const known = plan.runs.find(({ fingerprint }) => fingerprint === run.fingerprint);
  if (known !== undefined) return known.id;
  const missing = await missingNeeds(deps, wanted);
  const own = await planMakers(deps, plan, { missing, behind: [...wanted.behind, pipeline.name] });
  plan.runs.push({ ...run, parentId: plan.parentId, ...joined(waits, own) });
  return run.id;
}

function joined(a: AwaitedRuns, b: AwaitedRuns): AwaitedRuns {
  const more = b.after.flatMap((id, index) => (a.after.includes(id) ? [] : [[id, b.awaits[index] ?? id] as const]));
  return { after: [...a.after, ...more.map(([id]) => id)], awaits: [...a.awaits, ...more.map(([, what]) => what)] };
}
