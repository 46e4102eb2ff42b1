import { DomainError } from '@headwater/core/errors';
import type { IndexSpec, PixelPlan, PlanScene, SceneBand } from '@headwater/core';
import type { Network } from '../network/index.ts';
import { badFile, isHttp } from '../tiff/bad-file.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { alignGrids } from './alignment.ts';
import type { SceneTrouble } from './plan-tasks.ts';
import type { PreparedBand, PreparedScene, PreparedStep } from './prepared.ts';
import { isSceneTrouble } from './scene-files.ts';
import { middleLongitude, solarDay } from './solar-day.ts';

/** What the plan's steps want, the scenes that can be used for them, and why the others cannot. */
export interface PreparedScenes {
  readonly steps: readonly PreparedStep[];
  /** By solar day of acquisition, those of one day in the plan's order. */
  readonly scenes: readonly PreparedScene[];
  /** Scene id -> reason. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Ids among them whose servers did not answer. */
  readonly unavailable: readonly string[];
}

/** How many scenes are opened at once: matters over a network only. */
const AT_ONCE = 8;

/**
 * Opens every file that the plan needs and relates it to the grid. A scene with a broken file or without a band that its
 * steps need is left out entirely. Scenes outside all steps are not opened. Throws the signal's reason when aborted.
 */
export async function prepareScenes(plan: PixelPlan, network: Network, signal: AbortSignal): Promise<PreparedScenes> {
  const steps = plan.steps.map((_, step) => wantedAt(plan.indices, step));
  const dated = datedScenes(plan);
  const opening = { plan, steps, signal, network };
  const scenes: Opened[] = [];
  const skipped: Record<string, string> = {};
  const unavailable: string[] = [];
  for (let i = 0; i < dated.length; i += AT_ONCE) {
    signal.throwIfAborted();
    const opened = await Promise.all(dated.slice(i, i + AT_ONCE).map((entry) => prepareScene(entry, opening)));
    for (const result of opened) {
      if (!('reason' in result)) scenes.push(result);
      else {
        skipped[result.id] = result.reason;
        if (result.code === 'unavailable') unavailable.push(result.id);
      }
    }
  }
  return { steps, scenes: byDay(scenes), skipped, unavailable };
}

function wantedAt(indices: readonly IndexSpec[], step: number): PreparedStep {
  const wanted = indices.filter((index) => index.from <= step && step < index.to);
  return { indices: wanted, bands: [...new Set(wanted.flatMap(bandsOf))] };
}

function bandsOf({ formula }: IndexSpec): readonly string[] {
  if (formula.kind === 'band') return [formula.band];
  const { plus, minus, bright } = formula;
  return [...plus, ...minus, ...(bright === undefined ? [] : [bright.band])];
}

/** Solar day of each scene that falls into a step, and its steps: those of the day's first acquisition, for all of the day. */
function datedScenes(plan: PixelPlan): Dated[] {
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

/** By day, in the order of the plan within one: a stable sort. */
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

/** A scene before it is known which others of its day can be used. */
type Opened = Omit<PreparedScene, 'shared'>;

/** A scene, its solar day and the steps that it falls into. */
interface Dated {
  readonly scene: PlanScene;
  readonly day: string;
  readonly at: readonly number[];
}
interface Opening {
  readonly plan: PixelPlan;
  readonly steps: readonly PreparedStep[];
  readonly signal: AbortSignal;
  readonly network: Network;
}
interface Unusable {
  readonly id: string;
  readonly reason: string;
  readonly code: SceneTrouble;
}

async function prepareScene({ scene, day, at }: Dated, opening: Opening): Promise<Opened | Unusable> {
  const { id } = scene;
  const { mask: rule } = opening.plan;
  const wanted = new Set(opening.steps.flatMap(({ bands }, step) => (at.includes(step) ? bands : [])));
  const missing = [...wanted, ...(rule === null ? [] : [rule.band])].filter((name) => scene.bands[name] === undefined);
  if (missing.length > 0)
    return { id, reason: `band ${missing.join(', ')} is missing from the Item`, code: 'input_data' };
  try {
    const bands: Record<string, PreparedBand> = {};
    for (const name of wanted) bands[name] = await prepareBand(name, scene.bands[name], opening);
    const mask = rule === null ? null : await prepareBand(rule.band, scene.bands[rule.band], opening);
    for (const band of Object.values(bands)) checkSamples(band);
    if (rule !== null && mask !== null) checkCodes(rule.band, mask);
    return { id, day, steps: at, mask, bands };
  } catch (error) {
    if (isSceneTrouble(error)) return { id, reason: error.message, code: error.code };
    throw error;
  }
}

async function prepareBand(name: string, band: SceneBand | undefined, opening: Opening): Promise<PreparedBand> {
  if (band === undefined) throw new DomainError('input_data', 'a band is missing from the Item');
  const file = await openRaster(band.href, opening);
  file.close();
  const passed = opening.plan.indices.some(({ formula }) => formula.kind === 'band' && formula.band === name);
  return {
    layout: shareLayout(file.layout),
    alignment: alignGrids(file.grid, opening.plan.grid),
    offset: band.offset,
    nodata: band.nodata ?? file.nodata,
    use: passed ? 'band' : 'ratio',
    remote: isHttp(file.href),
  };
}

/** The full resolution's tables only, in memory that all workers share: a year's scenes have millions of tiles. */
function shareLayout(layout: TiffLayout): TiffLayout {
  const [level] = layout.levels;
  if (level === undefined) return layout;
  const shared = (table: Float64Array): Float64Array => {
    const copy = new Float64Array(new SharedArrayBuffer(table.byteLength));
    copy.set(table);
    return copy;
  };
  return { ...layout, levels: [{ ...level, offsets: shared(level.offsets), byteCounts: shared(level.byteCounts) }] };
}

function checkSamples({ layout: { dtype, href } }: PreparedBand): void {
  if (dtype === 'uint8' || dtype === 'uint16' || dtype === 'int16') return;
  throw badFile(href, `${dtype} samples cannot be composited; rewrite it as UInt16 or Int16`);
}

function checkCodes(name: string, { layout: { dtype, href } }: PreparedBand): void {
  if (dtype === 'uint8') return;
  throw badFile(href, `mask band ${name} holds ${dtype}, expected uint8 codes`);
}
