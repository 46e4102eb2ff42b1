import type { ResolvePorts } from '../pipelines/pipeline.ts';
import { missed, type MissedNeed, type MissingNeed, nameOfNeed, type Need } from '../pipelines/needs.ts';
import { DomainError } from '../errors.ts';
import type { NewRun, RunBackend } from '../ports/runs.ts';
import { newRun } from './new-run.ts';
import type { AnyPipeline, PipelineRegistry } from './types.ts';

/** Pipelines that may stand one behind the other. */
const DEEPEST = 10;

/** What planning stands on. */
export interface PlanDeps {
  readonly ports: ResolvePorts;
  readonly pipelines: Pick<PipelineRegistry, 'get'>;
  /** Where new runs compute. */
  readonly backend: RunBackend;
}

/** What a run waits for, as a run keeps it. */
export type Waits = Required<Pick<NewRun, 'after' | 'awaits'>>;

/** Runs that are planned for one request: each once, behind those that it waits for. */
export interface RunPlan {
  /** Owner of all, and the run that asks for them. */
  readonly ownerId: number;
  readonly requestId?: string | undefined;
  readonly parentId: string;
  readonly runs: NewRun[];
}

/** A run whose needs are looked at. */
export interface NeedyRun {
  readonly pipeline: AnyPipeline;
  readonly params: unknown;
  /** Pipelines that wait for this one, the first request's first. */
  readonly behind: readonly string[];
}

/** What is missing of a run's needs. Throws `internal` for a need of a pipeline that `dependsOn` does not name. */
export async function missingNeeds(
  { ports, backend }: PlanDeps,
  { pipeline, params }: NeedyRun,
): Promise<readonly MissedNeed[]> {
  const needs = (await pipeline.needs?.(params, ports)) ?? [];
  for (const need of needs) {
    if (need.kind === 'dem' || need.pipeline === undefined) continue;
    if ((pipeline.dependsOn ?? []).includes(need.pipeline)) continue;
    const text = `Pipeline ${pipeline.name} needs ${nameOfNeed(need)} of pipeline ${need.pipeline}, which its dependsOn does not name; add it there.`;
    throw new DomainError('internal', text);
  }
  // Where others compute, they may know elevations that this process has no source of; the run looks for them there.
  const isSeenHere = ({ kind }: Need): boolean =>
    kind !== 'dem' || ports.elevation !== undefined || backend === 'local';
  const looked = await Promise.all(needs.filter(isSeenHere).map((need) => missed(need, ports)));
  return looked.filter((each) => each !== undefined);
}

/** Refuses a run that lacks these. */
export function missingLayer(
  { pipelines, ports }: Pick<PlanDeps, 'pipelines' | 'ports'>,
  missing: readonly MissedNeed[],
): DomainError {
  const told = missing.map(({ need, isOfOtherBoundary }): MissingNeed => {
    const { kind } = need;
    const made = makerOf(pipelines, need);
    const by = made === undefined ? {} : { route: made.maker.route, request: made.request };
    const remedy = remedyOf(need, ports);
    return {
      name: nameOfNeed(need),
      kind,
      ...(isOfOtherBoundary ? { isOfOtherBoundary } : {}),
      ...by,
      ...(remedy === undefined ? {} : { remedy }),
    };
  });
  const names = told
    .map(({ name, isOfOtherBoundary }) =>
      isOfOtherBoundary === true ? `${name} (of another boundary than today's)` : name,
    )
    .join(', ');
  return new DomainError('missing_layer', `Not there, and needed for this: ${names}.`, { details: { missing: told } });
}

function remedyOf(need: Need, { remedies }: Pick<ResolvePorts, 'remedies'>): string | undefined {
  if (need.kind === 'dem') return remedies.elevation;
  return need.kind === 'layer' ? need.remedy : undefined;
}

/** Plans the runs that make what is missing, and what these need; says what to wait for. Throws `missing_layer` for what nobody makes. */
export async function planMakers(
  deps: PlanDeps,
  plan: RunPlan,
  { missing, behind }: { readonly missing: readonly MissedNeed[]; readonly behind: readonly string[] },
): Promise<Waits> {
  const waits = new Map<string, string[]>();
  for (const each of missing) {
    const { need } = each;
    const made = makerOf(deps.pipelines, need);
    if (made === undefined) throw missingLayer(deps, [each]);
    const id = await planMaker(deps, plan, { ...made, behind });
    waits.set(id, [...(waits.get(id) ?? []), nameOfNeed(need)]);
  }
  return { after: [...waits.keys()], awaits: Array.from(waits.values(), (names) => names.join(' and ')) };
}

/** The pipeline that makes what is needed, and by which request. */
interface Made {
  readonly maker: AnyPipeline;
  readonly request: Readonly<Record<string, unknown>>;
}

function makerOf(pipelines: PlanDeps['pipelines'], need: Need): Made | undefined {
  if (need.kind === 'dem' || need.pipeline === undefined) return undefined;
  const maker = pipelines.get(need.pipeline);
  return maker === undefined ? undefined : { maker, request: need.request };
}

async function planMaker(
  deps: PlanDeps,
  plan: RunPlan,
  { request, maker, behind }: Made & { readonly behind: readonly string[] },
): Promise<string> {
  if (behind.includes(maker.name) || behind.length >= DEEPEST) {
    const way = [...behind, maker.name].join(' -> ');
    throw new DomainError('internal', `The needs of pipelines lead in a circle or too deep: ${way}.`);
  }
  const params = await maker.resolve(maker.request.parse(request), deps.ports);
  return planRun(deps, plan, { pipeline: maker, params, behind });
}

/** Plans a run with what it needs, unless one like it is planned already; returns its id. `waits`: what it waits for beside that. */
export async function planRun(
  deps: PlanDeps,
  plan: RunPlan,
  { waits = { after: [], awaits: [] }, ...asked }: NeedyRun & { readonly waits?: Waits },
): Promise<string> {
  const { pipeline, params } = asked;
  const run = newRun({ ...plan, pipeline, params, now: deps.ports.now(), backend: deps.backend });
  const known = plan.runs.find(({ fingerprint }) => fingerprint === run.fingerprint);
  if (known !== undefined) return known.id;
  const missing = await missingNeeds(deps, asked);
  const own = await planMakers(deps, plan, { missing, behind: [...asked.behind, pipeline.name] });
  plan.runs.push({ ...run, parentId: plan.parentId, ...joined(waits, own) });
  return run.id;
}

/** Both, each run once. */
function joined(a: Waits, b: Waits): Waits {
  const more = b.after.flatMap((id, index) => (a.after.includes(id) ? [] : [[id, b.awaits[index] ?? id] as const]));
  return { after: [...a.after, ...more.map(([id]) => id)], awaits: [...a.awaits, ...more.map(([, what]) => what)] };
}
