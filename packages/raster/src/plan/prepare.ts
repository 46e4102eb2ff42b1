import { type IndexSpec, type PixelPlan, solarDay } from '@headwater/core/pixel-plan';
import { HeaderReader } from './headers.ts';
import type { HeaderTools } from './headers.ts';
import { openScenes } from './open-scenes.ts';
import type { Dated, Opened, Opening } from './open-scenes.ts';
import type { PreparedScene, PreparedStep } from './prepared.ts';
import { middleLongitude } from '../warp/crs.ts';

/** Steps of the plan, usable scenes, and reasons why other scenes cannot be used. */
export interface PreparedScenes {
  readonly steps: readonly PreparedStep[];
  /** Usable scenes, sorted by solar day. */
  readonly scenes: readonly PreparedScene[];
  readonly skipped: ReadonlyMap<string, string>;
  /** Ids of scenes whose servers did not respond or were not found. */
  readonly unavailable: readonly string[];
  /** True if the name of a server could not be resolved. */
  readonly isUnresolved: boolean;
}

const AT_ONCE = 8;
/** Maximum for the tile tables of one plan, bytes. A year of four Sentinel-2 tiles needs 100 MB. */
const MAX_TABLE_BYTES = 512 * 1024 * 1024;

/**
 * Opens all files that the plan needs, and computes their positions on the grid. Leaves out scenes with a broken or
 * unavailable file or a missing band, and scenes whose tile tables do not fit. Throws the reason of an abort.
 */
export async function prepareScenes(plan: PixelPlan, tools: HeaderTools): Promise<PreparedScenes> {
  const steps = plan.steps.map((_, step) => preparedStep(plan.indices, step));
  const dated = datedScenes(plan);
  const found: PreparedScenes = { steps, scenes: [], skipped: new Map(), unavailable: [], isUnresolved: false };
  if (dated.length === 0) return found;
  const headers = new HeaderReader(tools);
  try {
    return { ...found, ...(await openAll(dated, { plan, steps, headers })) };
  } finally {
    await headers.close();
  }
}

async function openAll(dated: readonly Dated[], opening: Opening): Promise<Omit<PreparedScenes, 'steps'>> {
  const scenes: Opened[] = [];
  const skipped = new Map<string, string>();
  const unavailable: string[] = [];
  let isUnresolved = false;
  let tableBytes = 0;
  for (let i = 0; i < dated.length; i += AT_ONCE) {
    const opened = await openScenes(dated.slice(i, i + AT_ONCE), opening);
    for (const result of opened) {
      if ('reason' in result) {
        skipped.set(result.id, result.reason);
        if (result.code !== 'input_data') unavailable.push(result.id);
        isUnresolved ||= result.code === 'unresolved';
        continue;
      }
      tableBytes += tableBytesOf(result);
      if (tableBytes <= MAX_TABLE_BYTES) scenes.push(result);
      else skipped.set(result.id, TOO_MANY_TILES);
    }
  }
  return { scenes: byDay(scenes), skipped, unavailable, isUnresolved };
}

const TOO_MANY_TILES = `the files up to this one have more tiles than fit in ${MAX_TABLE_BYTES / 1024 / 1024} MB of tables; rewrite them with \`gdal_translate -of COG\``;

function tableBytesOf({ bands, mask }: Opened): number {
  const files = [...Object.values(bands), ...(mask === null ? [] : [mask])];
  return files
    .flatMap(({ layout }) => layout.levels)
    .reduce((sum, { offsets, byteCounts }) => sum + offsets.byteLength + byteCounts.byteLength, 0);
}

function preparedStep(all: readonly IndexSpec[], step: number): PreparedStep {
  const indices = all.filter((index) => index.from <= step && step < index.to);
  return { indices, bands: [...new Set(indices.flatMap(bandsOf))] };
}

function bandsOf({ formula }: IndexSpec): readonly string[] {
  if (formula.kind === 'band') return [formula.band];
  const { plus, minus, bright } = formula;
  return [...plus, ...minus, ...(bright === undefined ? [] : [bright.band])];
}

/**
 * Scenes that are in a step of the plan, in the order of the plan, each with its solar day and steps. The first
 * acquisition of a day determines its steps.
 */
export function datedScenes(plan: PixelPlan): Dated[] {
  const longitude = middleLongitude(plan.grid);
  const days = plan.scenes.map((scene) => ({ scene, day: solarDay(scene.datetime, longitude) }));
  const first = new Map<string, number>();
  for (const { scene, day } of days) {
    first.set(day, Math.min(first.get(day) ?? Infinity, Date.parse(scene.datetime)));
  }
  return days
    .map(({ scene, day }) => ({ scene, day, at: stepsAt(plan, first.get(day) ?? Number.NaN) }))
    .filter(({ at }) => at.length > 0);
}

function byDay(scenes: readonly Opened[]): PreparedScene[] {
  const counts = new Map<string, number>();
  for (const { day } of scenes) counts.set(day, (counts.get(day) ?? 0) + 1);
  return scenes
    .map((scene) => ({ ...scene, shared: (counts.get(scene.day) ?? 0) > 1 }))
    .toSorted((a, b) => a.day.localeCompare(b.day));
}

function stepsAt(plan: PixelPlan, at: number): number[] {
  return plan.steps.flatMap((step, i) => (Date.parse(step.start) <= at && at < Date.parse(step.end) ? [i] : []));
}
