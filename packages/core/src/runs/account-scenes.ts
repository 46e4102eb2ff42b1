import { isObject } from '@headwater/stac';
import type { InputPorts, PipelinePorts } from '../pipelines/pipeline.ts';
import type { Deliverable, Run } from '../ports/runs.ts';
import type { SceneEngine, SceneEngines, SceneUsage } from '../ports/scene-engines.ts';
import { withExecute } from './with-execute.ts';

/** Opens the scene engine of the account in these parameters; undefined if the run reads the usual scenes. */
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

/** Calls `read` with the input ports of a request: with the scenes of its account, if the account has a scene engine. */
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

/** Parts of an attempt that read scenes. */
interface AttemptScenes {
  readonly engines: SceneEngines | undefined;
  readonly params: unknown;
  readonly ports: PipelinePorts;
  readonly run: Pick<Run, 'id'>;
  readonly log: (message: string) => void;
}

/**
 * Executes a pipeline with the scenes of the run's account, if the account has a scene engine. The deliverable and the log then contain the
 * usage of the engine. Its files are removed at the end, also after an error.
 */
export async function withAccountScenes(
  { engines, params, ports, run, log }: AttemptScenes,
  execute: (ports: PipelinePorts) => Promise<Deliverable>,
): Promise<Deliverable> {
  const engine = await openSceneEngine(engines, params, run.id);
  if (engine === undefined) return await execute(ports);
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

function usageText({ engine, accountId, requests, pixels, bytes, workloadTag }: SceneUsage): string {
  return `Scenes of ${engine} with account ${accountId}: ${requests} requests, ${pixels} pixels, ${bytes} bytes; workload tag ${workloadTag}`;
}

/** Adds the usage of a scene engine to the Items and timings. A run that read no pixel there has no usage. */
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
