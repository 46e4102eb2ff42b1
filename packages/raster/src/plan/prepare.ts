import { DomainError, isDomainError } from '@headwater/core/errors';
import type { IndexSpec, PixelPlan, PlanScene, SceneBand } from '@headwater/core';
import { isHttp } from '../tiff/bad-file.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { alignGrids } from './alignment.ts';
import type { PreparedBand, PreparedScene, PreparedStep } from './prepared.ts';

/** What the plan's steps want, the scenes that can be used for them, and why the others cannot. */
interface PreparedScenes {
  readonly steps: readonly PreparedStep[];
  /** By day of acquisition. */
  readonly scenes: readonly PreparedScene[];
  /** Scene id -> reason. */
  readonly skipped: Readonly<Record<string, string>>;
}

/** How many scenes are opened at once: matters over a network only. */
const AT_ONCE = 8;

/**
 * Opens every file that the plan needs and relates it to the grid. A scene with a broken file or without a band that its
 * steps need is left out entirely. Scenes outside all steps are not opened. Throws the signal's reason when aborted.
 */
export async function prepareScenes(plan: PixelPlan, signal: AbortSignal): Promise<PreparedScenes> {
  const steps = plan.steps.map((_, step) => wantedAt(plan.indices, step));
  const dated = plan.scenes.map((scene) => ({ scene, at: stepsOf(plan, scene) })).filter(({ at }) => at.length > 0);
  const opening = { plan, steps, signal };
  const scenes: PreparedScene[] = [];
  const skipped: Record<string, string> = {};
  for (let i = 0; i < dated.length; i += AT_ONCE) {
    signal.throwIfAborted();
    const opened = await Promise.all(dated.slice(i, i + AT_ONCE).map((entry) => prepareScene(entry, opening)));
    for (const result of opened) {
      if ('reason' in result) skipped[result.id] = result.reason;
      else scenes.push(result);
    }
  }
  return { steps, scenes: scenes.toSorted((a, b) => a.day.localeCompare(b.day)), skipped };
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

function stepsOf(plan: PixelPlan, scene: PlanScene): number[] {
  const at = Date.parse(scene.datetime);
  return plan.steps.flatMap((step, i) => (Date.parse(step.start) <= at && at < Date.parse(step.end) ? [i] : []));
}

/** A scene and the steps that its acquisition falls into. */
interface Dated {
  readonly scene: PlanScene;
  readonly at: readonly number[];
}
interface Opening {
  readonly plan: PixelPlan;
  readonly steps: readonly PreparedStep[];
  readonly signal: AbortSignal;
}
interface Unusable {
  readonly id: string;
  readonly reason: string;
}

async function prepareScene({ scene, at }: Dated, opening: Opening): Promise<PreparedScene | Unusable> {
  const { id } = scene;
  const { mask: rule } = opening.plan;
  const wanted = new Set(opening.steps.flatMap(({ bands }, step) => (at.includes(step) ? bands : [])));
  const missing = [...wanted, ...(rule === null ? [] : [rule.band])].filter((name) => scene.bands[name] === undefined);
  if (missing.length > 0) return { id, reason: `band ${missing.join(', ')} is missing from the Item` };
  try {
    const bands: Record<string, PreparedBand> = {};
    for (const name of wanted) bands[name] = await prepareBand(name, scene.bands[name], opening);
    const mask = rule === null ? null : await prepareBand(rule.band, scene.bands[rule.band], opening);
    for (const band of Object.values(bands)) checkSamples(band);
    if (rule !== null && mask !== null) checkCodes(rule.band, mask);
    return { id, day: new Date(scene.datetime).toISOString().slice(0, 10), steps: at, mask, bands };
  } catch (error) {
    if (isDomainError(error) && error.code === 'input_data') return { id, reason: error.message };
    throw error;
  }
}

async function prepareBand(name: string, band: SceneBand | undefined, opening: Opening): Promise<PreparedBand> {
  if (band === undefined) throw new DomainError('input_data', 'a band is missing from the Item');
  const file = await openRaster(band.href, { signal: opening.signal });
  file.close();
  const passed = opening.plan.indices.some(({ formula }) => formula.kind === 'band' && formula.band === name);
  return {
    layout: file.layout,
    alignment: alignGrids(file.grid, opening.plan.grid),
    offset: band.offset,
    nodata: band.nodata ?? file.nodata,
    use: passed ? 'band' : 'ratio',
    remote: isHttp(file.href),
  };
}

function checkSamples({ layout: { dtype, href } }: PreparedBand): void {
  if (dtype === 'uint8' || dtype === 'uint16' || dtype === 'int16') return;
  throw new DomainError('input_data', `${href}: ${dtype} samples cannot be composited; rewrite it as UInt16 or Int16`);
}

function checkCodes(name: string, { layout: { dtype, href } }: PreparedBand): void {
  if (dtype === 'uint8') return;
  throw new DomainError('input_data', `${href}: mask band ${name} holds ${dtype}, expected uint8 codes`);
}
