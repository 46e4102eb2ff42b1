import { DomainError, isDomainError } from '../errors.ts';
import { sphericalAreaHa } from '../geo/spherical-area.ts';
import { nameOfNeed } from '../pipelines/needs.ts';
import type { PixelPlan } from '../ports/pixel-plan.ts';
import type { FileReads, PixelEngine, ReadEstimate } from '../ports/pixels.ts';
import { openSceneEngine } from './account-scenes.ts';
import { missingLayer } from './plan-runs.ts';
import { findArea, partsInOrder } from './scope-run.ts';
import { type CheckedStart, previewRun, type StartDeps } from './start.ts';
import { retryLater } from './newest-year.ts';
import { spreadSample } from '../values.ts';
import type { AnyPipeline, FailedEstimate, RunEstimate, RunPrincipal, RunService, ScopeArea } from './types.ts';

/** Dependencies of an estimate. */
export interface EstimateDeps {
  readonly start: StartDeps;
  /** Pixel engine that estimates; undefined if this process has none. */
  readonly pixels: Pick<PixelEngine, 'estimate' | 'estimateFiles'> | undefined;
}

/** A request to estimate. */
export interface EstimateRequest {
  readonly principal: RunPrincipal;
  readonly pipeline: AnyPipeline;
  readonly request: Readonly<Record<string, unknown>>;
  readonly area?: ScopeArea | undefined;
}

type TehsilEstimate = RunEstimate & CheckedStart;

const SAMPLED = 4;

/** Maximum number of concurrent estimates. It is small, because an estimate reads the headers of many scenes. */
const MOST_ESTIMATES = 4;

/** Builds `RunService.estimate`. */
export function createEstimates(depsOf: (principal: RunPrincipal) => EstimateDeps): RunService['estimate'] {
  const callers = new Set<number>();
  return async (principal, asked, signal) => {
    const { id } = principal.user;
    if (callers.has(id))
      throw retryLater('throttled', 'The service still estimates your earlier request; retry after its response.');
    if (callers.size >= MOST_ESTIMATES) {
      const text = `The service already estimates ${MOST_ESTIMATES} requests, which is the maximum; retry later.`;
      throw retryLater('throttled', text);
    }
    callers.add(id);
    try {
      return await estimateRun(depsOf(principal), { ...asked, principal }, signal);
    } finally {
      callers.delete(id);
    }
  };
}

/** Estimates a request. An area is estimated from a few of its tehsils. */
async function estimateRun(deps: EstimateDeps, asked: EstimateRequest, signal: AbortSignal): Promise<RunEstimate> {
  const { start } = deps;
  if (asked.area === undefined) return await estimateTehsil(deps, asked, signal);
  const { tehsils } = await findArea(start.ports.places, asked.area);
  const placed = new Map(tehsils.map((each) => [each.tehsilId, each] as const));
  const parts = partsInOrder(tehsils.filter(({ extent }) => extent !== undefined));
  const sampled = spreadSample(parts, SAMPLED);
  const found: TehsilEstimate[] = [];
  const failed: FailedEstimate[] = [];
  for (const { tehsilId } of sampled) {
    const place = placed.get(tehsilId);
    if (place === undefined) continue;
    const { state, district, tehsil } = place;
    const request = { ...asked.request, state, district, tehsil };
    try {
      found.push(await estimateTehsil(deps, { ...asked, request }, signal));
    } catch (error) {
      if (!isDomainError(error) || signal.aborted) throw error;
      failed.push({ district, tehsil, error });
    }
  }
  if (found.length === 0)
    throw failed[0]?.error ?? new DomainError('input_data', 'No tehsil of this area has a boundary.');
  const km2 = parts.reduce((sum, { work }) => sum + work, 0);
  return {
    tehsils: tehsils.length,
    km2,
    failed,
    reads: scaled(found, km2),
    sceneEngine: found.find((each) => each.sceneEngine !== undefined)?.sceneEngine,
    elevations: scaledElevations(found, km2),
    ...allNeeds(start, found),
  };
}

function allNeeds(
  start: StartDeps,
  found: readonly TehsilEstimate[],
): Pick<RunEstimate, 'sampled' | 'lacking' | 'missing' | 'makers'> {
  const unmet = new Map(found.flatMap((each) => each.unmet.map((one) => [nameOfNeed(one.need), one] as const)));
  return {
    sampled: found.length,
    lacking: found.filter(({ missing }) => missing !== undefined).length,
    missing: unmet.size === 0 ? undefined : missingLayer(start, [...unmet.values()]),
    makers: found.some(({ makers }) => makers === undefined)
      ? undefined
      : [...new Set(found.flatMap(({ makers = [] }) => makers))],
  };
}

function scaledSum(found: readonly TehsilEstimate[], km2: number) {
  const examined = found.reduce((total, each) => total + each.km2, 0);
  const factor = examined > 0 ? km2 / examined : 1;
  return <N extends string>(reads: readonly Readonly<Record<N, number>>[], name: N): number =>
    Math.round(factor * reads.reduce((total, each) => total + each[name], 0));
}

/**
 * Reads of the whole area, scaled from the examined tehsils. Memory and disk are the maximum over the
 * examined tehsils, as needed for one tehsil at a time.
 */
function scaled(found: readonly TehsilEstimate[], km2: number): ReadEstimate | undefined {
  const reads = found.flatMap((each) => each.reads ?? []);
  if (reads.length === 0) return undefined;
  const sum = scaledSum(found, km2);
  const most = (name: keyof ReadEstimate): number => Math.max(...reads.map((each) => each[name]));
  return {
    scenes: sum(reads, 'scenes'),
    bytes: sum(reads, 'bytes'),
    requests: sum(reads, 'requests'),
    decodedPixels: sum(reads, 'decodedPixels'),
    gridPixels: sum(reads, 'gridPixels'),
    memoryBytes: most('memoryBytes'),
    diskBytes: most('diskBytes'),
  };
}

function scaledElevations(found: readonly TehsilEstimate[], km2: number): FileReads | undefined {
  const known = found.flatMap(({ elevations }) => elevations ?? []);
  if (known.length < found.length) return undefined;
  const sum = scaledSum(found, km2);
  return { bytes: sum(known, 'bytes'), requests: sum(known, 'requests') };
}

async function estimateTehsil(
  { start, pixels }: EstimateDeps,
  { principal, pipeline, request }: EstimateRequest,
  signal: AbortSignal,
): Promise<TehsilEstimate> {
  const parsed = pipeline.request.parse(request);
  const preview = await previewRun(start, { principal, pipeline, request: parsed });
  const { params } = preview;
  const tehsilId: unknown = Reflect.get(Object(params), 'tehsilId');
  const place = typeof tehsilId === 'number' ? await start.ports.places.placeOfTehsil(tehsilId) : undefined;
  const geometry = place?.tehsil.geometry ?? undefined;
  const km2 = geometry === undefined ? 0 : sphericalAreaHa(geometry) / 100;
  return {
    ...preview,
    tehsils: 1,
    km2,
    sampled: 1,
    lacking: preview.missing === undefined ? 0 : 1,
    failed: [],
    ...(await readsOf(pipeline, { params, pixels, start, signal })),
    elevations: await elevationsOf(pipeline, { params, pixels, ports: start.ports, signal }),
  };
}

interface CheckedRequest extends EstimateDeps {
  readonly params: unknown;
  readonly signal: AbortSignal;
}

async function readsOf(
  pipeline: AnyPipeline,
  { params, pixels, start, signal }: CheckedRequest,
): Promise<Pick<RunEstimate, 'reads' | 'sceneEngine'>> {
  const { inputPorts: ports, sceneEngines } = start;
  if (pipeline.plans === undefined || pixels?.estimate === undefined || ports === undefined)
    return { reads: undefined, sceneEngine: undefined };
  const estimate = pixels.estimate.bind(pixels);
  const engine = await openSceneEngine(sceneEngines, params);
  const context = { signal, progress: () => {} };
  if (engine === undefined) {
    const reads = await sumOf(await pipeline.plans(params, ports, signal), (plan) => estimate(plan, context));
    return { reads, sceneEngine: undefined };
  }
  try {
    const { earthObservation } = engine;
    const found = await pipeline.plans(params, { ...ports, earthObservation }, signal);
    const reads = await sumOf(found, (plan) => engine.estimate(plan, context, { estimate }));
    const { engine: name, accountId } = engine.usage();
    return { reads, sceneEngine: { engine: name, accountId } };
  } finally {
    await engine.close();
  }
}

async function sumOf(
  plans: readonly PixelPlan[],
  estimate: (plan: PixelPlan) => Promise<ReadEstimate>,
): Promise<ReadEstimate> {
  let all: ReadEstimate = {
    scenes: 0,
    bytes: 0,
    requests: 0,
    decodedPixels: 0,
    gridPixels: 0,
    memoryBytes: 0,
    diskBytes: 0,
  };
  for (const plan of plans) {
    const one = await estimate(plan);
    all = {
      scenes: all.scenes + one.scenes,
      bytes: all.bytes + one.bytes,
      requests: all.requests + one.requests,
      decodedPixels: all.decodedPixels + one.decodedPixels,
      gridPixels: all.gridPixels + one.gridPixels,
      memoryBytes: Math.max(all.memoryBytes, one.memoryBytes),
      diskBytes: all.diskBytes + one.diskBytes,
    };
  }
  return all;
}

/**
 * Reads of elevations, without the margin that a run reads. Undefined if elevations or an engine for estimates are
 * missing.
 */
async function elevationsOf(
  pipeline: AnyPipeline,
  {
    params,
    pixels,
    ports,
    signal,
  }: Pick<EstimateDeps, 'pixels'> & {
    readonly params: unknown;
    readonly ports: StartDeps['ports'];
    readonly signal: AbortSignal;
  },
): Promise<FileReads | undefined> {
  const boxes = ((await pipeline.needs?.(params, ports)) ?? []).flatMap((need) =>
    need.kind === 'dem' ? [need.box] : [],
  );
  let all: FileReads = { bytes: 0, requests: 0 };
  for (const box of boxes) {
    const found = await ports.elevation?.demFor(box, signal);
    if (found === undefined || pixels?.estimateFiles === undefined) return undefined;
    const paths = found.rasters.map(({ href }) => href);
    const one = await pixels.estimateFiles({ paths, box }, { signal, progress: () => {} });
    all = { bytes: all.bytes + one.bytes, requests: all.requests + one.requests };
  }
  return all;
}
