import { isObject } from '@headwater/stac';
import { DomainError } from '../errors.ts';
import type { InputPorts, PipelinePorts, ResolvePorts } from '../pipelines/pipeline.ts';
import type { Deliverable, NewRun, Run } from '../ports/runs.ts';
import type { SceneEngine, SceneEngines, SceneUsage } from '../ports/scene-engines.ts';
import { withExecute } from './with-execute.ts';

/**
 * Opens the engine that reads scenes from the platform (such as Earth Engine) of the account `eoAccountId` in the
 * parameters. Returns undefined if this account has no engine.
 */
export async function openSceneEngine(
  engines: SceneEngines | undefined,
  params: unknown,
  runId?: string,
): Promise<SceneEngine | undefined> {
  const accountId: unknown = isObject(params) ? params['eoAccountId'] : undefined;
  return typeof accountId === 'number'
    ? await engines?.open({ accountId, ...(runId === undefined ? {} : { runId }) })
    : undefined;
}

/**
 * Calls `read` with the input ports of a request. If the account of the request has a scene engine,
 * `earthObservation` is the port of this engine.
 */
export async function withInputPorts<T>(
  engines: SceneEngines | undefined,
  { params, ports }: { readonly params: unknown; readonly ports: InputPorts },
  read: (ports: InputPorts) => Promise<T>,
): Promise<T> {
  const engine = await openSceneEngine(engines, params);
  if (engine === undefined) return await read(ports);
  try {
    return await read({ ...ports, earthObservation: engine.earthObservation });
  } finally {
    await engine.close();
  }
}

/**
 * Adds `sceneEngine`, the platform of the scenes, to a run's parameters if this process has engines for the
 * platform of the run's account. Processes without engines for this platform then refuse the run.
 */
export async function withSceneEngine(
  run: NewRun,
  {
    sceneEngines,
    ports,
  }: { readonly sceneEngines?: SceneEngines | undefined; readonly ports: Pick<ResolvePorts, 'eoAccounts'> },
): Promise<NewRun> {
  const id = run.params['eoAccountId'];
  if (sceneEngines === undefined || typeof id !== 'number') return run;
  const { platform } = sceneEngines;
  if ((await ports.eoAccounts.byId(id))?.platform !== platform) return run;
  return { ...run, params: { ...run.params, sceneEngine: platform } };
}

interface AttemptScenes {
  readonly engines: SceneEngines | undefined;
  readonly params: unknown;
  readonly ports: PipelinePorts;
  readonly run: Pick<Run, 'id' | 'params'>;
  readonly log: (message: string) => void;
}

/**
 * Executes a pipeline with the scenes of the run's account. Adds the usage of a scene engine to deliverable and log.
 */
export async function withAccountScenes(
  { engines, params, ports, run, log }: AttemptScenes,
  execute: (ports: PipelinePorts) => Promise<Deliverable>,
): Promise<Deliverable> {
  const engine = await openSceneEngine(engines, params, run.id);
  if (engine === undefined) {
    checkNoEngine(run, ports, engines);
    return await execute(ports);
  }
  const { earthObservation } = engine;
  const usual = ports.pixels;
  const pixels = withExecute(usual, (plan, context) => engine.execute(plan, context, usual));
  try {
    return withUsage(await execute({ ...ports, earthObservation, pixels }), engine.usage());
  } finally {
    const usage = engine.usage();
    if (usage.requests > 0) log(usageText(usage));
    await engine.close();
  }
}

/**
 * Checks a run for which no engine was opened. Throws only if the run was stored with a `sceneEngine`: `unavailable` if
 * this process has no engines for this platform, otherwise `input_data`.
 */
function checkNoEngine(
  { id, params: { sceneEngine, eoAccountId } }: Pick<Run, 'id' | 'params'>,
  { remedies }: Pick<PipelinePorts, 'remedies'>,
  engines: SceneEngines | undefined,
): void {
  if (typeof sceneEngine !== 'string') return;
  if (engines?.platform === sceneEngine)
    throw new DomainError(
      'input_data',
      `Run ${id} was stored to read the scenes of ${sceneEngine} with account ${String(eoAccountId)}, but this account now has another platform. No other scenes are used instead. Start the run again.`,
    );
  throw new DomainError(
    'unavailable',
    `Run ${id} reads the scenes of ${sceneEngine} with account ${String(eoAccountId)}, but this process cannot read scenes of this platform. No other scenes are used instead. ${remedies.sceneEngines}`,
  );
}

function usageText({ engine, accountId, requests, pixels, bytes, workloadTag }: SceneUsage): string {
  return `Scenes of ${engine} with account ${accountId}: ${requests} requests, ${pixels} pixels, ${bytes} bytes; workload tag ${workloadTag}`;
}

function withUsage(deliverable: Deliverable, usage: SceneUsage): Deliverable {
  if (usage.requests === 0) return deliverable;
  const { engine, accountId, requests, pixels, bytes, workloadTag } = usage;
  const facts = {
    engine,
    account_id: accountId,
    requests,
    pixels,
    bytes,
    workload_tag: workloadTag,
  };
  const items = deliverable.items.map((item) => {
    const { properties } = item.item;
    const own = isObject(properties) ? properties : {};
    return { ...item, item: { ...item.item, properties: { ...own, 'headwater:scene_engine': facts } } };
  });
  const timings = { scene_requests: requests, scene_pixels: pixels, scene_bytes: bytes };
  return { ...deliverable, items, timings: { ...deliverable.timings, ...timings } };
}
