import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError } from '@headwater/core/errors';
import type { PixelGrid, PixelPlan, PlanScene } from '@headwater/core/pixel-plan';
import type { PlanOutcome, ReadEstimate, SceneEngine, WorkContext } from '@headwater/core/ports';
import { createLimit } from '@headwater/net/retry';
import type { ImageBand } from './images.ts';
import { listScenes } from './list-scenes.ts';
import type { Requests } from './requests.ts';
import type { SceneFiles } from './scene-files.ts';
import type { UseNotes } from '../usage/use-notes.ts';
import { groupsOf, type SceneReading, takeScene, type Tally, type WantedScene } from './take-scene.ts';
import { areaBox, bandsOfPlan, marginOf, SAMPLE_BYTES, stripsOf, windowOf } from './windows.ts';

const READING = 0.7;
const SCENES_AT_ONCE = 4;

/** Parts of a scene engine of one account. */
export interface SceneEngineParts {
  readonly requests: Requests;
  readonly project: string;
  /** Label of the work, 1 to 63 characters. */
  readonly workloadTag: string;
  readonly files: SceneFiles;
  /** Folder for files of scenes, created on demand. */
  readonly scratchDir: string;
  readonly mostBytes: number;
  readonly freeBytes: (folder: string) => Promise<number>;
  /** Stores notes about the requests of a run; undefined for an estimate. */
  readonly notes?: UseNotes | undefined;
}

/**
 * Creates an engine that lists and reads scenes of `COPERNICUS/S2_SR_HARMONIZED`. Each plan uses temporary local files
 * of the needed pixels (decision 237).
 */
export function createSceneEngine(parts: SceneEngineParts): SceneEngine {
  const { requests, workloadTag, scratchDir, notes } = parts;
  const tally: Tally = { requests: 0, pixels: 0, bytes: 0 };
  const known = new Map<string, ImageBand>();
  return {
    earthObservation: {
      search: async (query) => {
        const { bands, ...found } = await listScenes(query, requests);
        for (const entry of bands) known.set(...entry);
        return found;
      },
    },
    execute: async (plan, context, usual) => {
      await notes?.begin();
      await mkdir(scratchDir, { recursive: true });
      const folder = await mkdtemp(join(scratchDir, 'plan-'));
      try {
        const { scenes, outside } = await takeScenes({ plan, context, known, folder, tally }, parts);
        const rest = {
          ...context,
          progress: (share: number, note?: string) => context.progress(READING + share * (1 - READING), note),
        };
        const outcome = await usual.execute({ ...plan, scenes }, rest);
        return { ...outcome, unused: { ...outside, ...outcome.unused } };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    estimate: (plan, context, usual) => estimateReads(plan, { context, usual, known, requests }),
    usage: () => ({
      engine: 'earth_engine',
      accountId: requests.accountId,
      ...tally,
      workloadTag,
    }),
    close: async () => {
      await notes?.end(tally);
      await rm(scratchDir, { recursive: true, force: true });
    },
  };
}

interface WantedScenes {
  readonly wanted: readonly WantedScene[];
  readonly outside: PlanOutcome['unused'];
}

function wantedScenes(plan: PixelPlan, known: ReadonlyMap<string, ImageBand>): WantedScenes {
  const names = [...bandsOfPlan(plan), ...(plan.mask === null ? [] : [plan.mask.band])];
  const [box, margin] = [areaBox(plan), marginOf(plan)];
  const wanted: WantedScene[] = [];
  const outside: Record<string, string> = {};
  for (const [index, scene] of plan.scenes.entries()) {
    const bands = new Map<string, ImageBand & { readonly window: PixelGrid }>();
    for (const name of names) {
      const band = known.get(scene.bands[name]?.href ?? '');
      const window = band && windowOf(band.grid, box, margin);
      if (band !== undefined && window !== undefined) bands.set(name, { ...band, window });
    }
    if (bands.size > 0) wanted.push({ scene, bands, index });
    else outside[scene.id] = 'it has no pixel in the area';
  }
  return { wanted, outside };
}

interface PlanReading {
  readonly plan: PixelPlan;
  readonly context: WorkContext;
  readonly known: ReadonlyMap<string, ImageBand>;
  readonly folder: string;
  readonly tally: Tally;
}

/**
 * Reads all scenes of a plan, several at a time; returns them in the order of the plan. After a failure, all reads end
 * before the error is thrown.
 */
async function takeScenes(
  { plan, context, known, folder, tally }: PlanReading,
  { requests, project, workloadTag, files, mostBytes, freeBytes }: SceneEngineParts,
): Promise<{ readonly scenes: readonly PlanScene[]; readonly outside: PlanOutcome['unused'] }> {
  const { wanted, outside } = wantedScenes(plan, known);
  await checkSpace(folder, Math.min(mostBytes, pixelsOf(wanted) * SAMPLE_BYTES), freeBytes);
  const failing = new AbortController();
  const signal = AbortSignal.any([context.signal, failing.signal]);
  const limit = createLimit(SCENES_AT_ONCE);
  let done = 0;
  const onWait = (note: string | null): void =>
    context.progress((READING * done) / wanted.length, note ?? 'Earth Engine continues');
  const reading: SceneReading = {
    requests,
    project,
    workloadTag,
    files,
    tally,
    signal,
    abort: (reason) => failing.abort(reason),
    onWait,
    scratch: { folder, mostBytes, bytes: 0 },
  };
  const take = async (scene: WantedScene): Promise<PlanScene> => {
    try {
      signal.throwIfAborted();
      const taken = await takeScene(scene, plan.mask, reading);
      done += 1;
      context.progress((READING * done) / wanted.length, `Earth Engine: scene ${done} of ${wanted.length}`);
      return taken;
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  };
  const taken = await Promise.allSettled(wanted.map((scene) => limit(() => take(scene))));
  context.signal.throwIfAborted();
  failing.signal.throwIfAborted();
  return { scenes: taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])), outside };
}

const pixelsOf = (wanted: readonly WantedScene[]): number =>
  wanted.reduce(
    (sum, { bands }) => [...bands.values()].reduce((all, { window }) => all + window.cols * window.rows, sum),
    0,
  );

/** Throws `storage_full` before the first request if the uncompressed scenes may not fit on the disk. */
async function checkSpace(folder: string, needed: number, freeBytes: SceneEngineParts['freeBytes']): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= needed) return;
  throw new DomainError(
    'storage_full',
    `The scenes of one year may need ${needed} bytes of scratch files, and ${free} bytes are free in ${dirname(folder)}. Free some space there, or compute a smaller place.`,
  );
}

interface Estimating {
  readonly context: WorkContext;
  readonly usual: Parameters<SceneEngine['estimate']>[2];
  readonly requests: Requests;
  readonly known: ReadonlyMap<string, ImageBand>;
}

/**
 * Counts the requests and uncompressed bytes of a plan. Assumes that each scene has a clear pixel, so that all its
 * bands are read.
 */
async function estimateReads(
  plan: PixelPlan,
  { context, usual, known, requests: { requestBytes, memoryBytes } }: Estimating,
): Promise<ReadEstimate> {
  const { wanted } = wantedScenes(plan, known);
  const rest = await usual.estimate?.({ ...plan, scenes: [] }, context);
  let [requests, pixels] = [0, 0];
  for (const { bands } of wanted) {
    for (const { window, names } of groupsOf(bands, plan.mask)) {
      requests += stripsOf(window, names.length, requestBytes).length;
      pixels += window.cols * window.rows * names.length;
    }
  }
  const bytes = pixels * SAMPLE_BYTES;
  return {
    scenes: plan.scenes.length,
    bytes,
    requests,
    decodedPixels: pixels,
    gridPixels: plan.grid.cols * plan.grid.rows,
    memoryBytes: memoryBytes + (rest?.memoryBytes ?? 0),
    diskBytes: bytes + (rest?.diskBytes ?? 0),
  };
}
