import { DomainError, isDomainError } from '@headwater/core/errors';
import type { PixelPlan, PlanScene, SceneBand } from '@headwater/core';
import { TileDecoder } from '../tiff/tile-decoder.ts';
import { openRaster } from '../tiff/raster-file.ts';
import { alignGrids } from './alignment.ts';
import { bandsOf, indicesAt } from './prepared.ts';
import type { PreparedBand, PreparedScene } from './prepared.ts';

/** Scenes that can be used, and why the others cannot. */
export interface PreparedScenes {
  readonly scenes: readonly PreparedScene[];
  readonly skipped: Readonly<Record<string, string>>;
}

/** How many scenes are opened at once: matters over a network only. */
const AT_ONCE = 8;

/**
 * Opens every file that the plan needs and relates it to the grid. A scene with a broken file or without a band that its
 * steps need is left out entirely. Scenes outside all steps are not opened. Throws `no_scenes` where none is left.
 */
export async function prepareScenes(plan: PixelPlan, signal: AbortSignal): Promise<PreparedScenes> {
  const dated = plan.scenes
    .map((scene) => ({ scene, steps: stepsOf(plan, scene) }))
    .filter(({ steps }) => steps.length > 0);
  const decoder = new TileDecoder();
  const scenes: PreparedScene[] = [];
  const skipped: Record<string, string> = {};
  for (let i = 0; i < dated.length; i += AT_ONCE) {
    signal.throwIfAborted();
    const group = dated.slice(i, i + AT_ONCE);
    const opened = await Promise.all(
      group.map(({ scene, steps }) => prepareScene({ plan, scene, steps }, { decoder, signal })),
    );
    opened.forEach((result, k) => {
      if ('reason' in result) skipped[group[k]?.scene.id ?? ''] = result.reason;
      else scenes.push(result);
    });
  }
  if (scenes.length === 0) throw noScenes(skipped);
  return { scenes: scenes.toSorted((a, b) => a.day.localeCompare(b.day)), skipped };
}

/** `no_scenes` with every reason, for a plan in which no scene is left. */
export function noScenes(skipped: Readonly<Record<string, string>>): DomainError {
  const reasons = Object.entries(skipped).map(([id, reason]) => `${id}: ${reason}`);
  const message =
    reasons.length === 0
      ? 'no scene falls into the period; add scenes for it or choose other years'
      : `none of the ${reasons.length} scenes can be used (${reasons.slice(0, 3).join('; ')}); repair or replace them`;
  return new DomainError('no_scenes', message, { details: { skipped } });
}

function stepsOf(plan: PixelPlan, scene: PlanScene): number[] {
  const at = Date.parse(scene.datetime);
  return plan.steps.flatMap((step, i) => (Date.parse(step.start) <= at && at < Date.parse(step.end) ? [i] : []));
}

interface Dated {
  readonly plan: PixelPlan;
  readonly scene: PlanScene;
  readonly steps: readonly number[];
}
interface Opening {
  readonly decoder: TileDecoder;
  readonly signal: AbortSignal;
}

async function prepareScene(
  { plan, scene, steps }: Dated,
  opening: Opening,
): Promise<PreparedScene | { reason: string }> {
  const wanted = [...new Set(steps.flatMap((step) => indicesAt(plan.indices, step)).flatMap(bandsOf))];
  const missing = [...wanted, ...(plan.mask ? [plan.mask.band] : [])].filter((name) => scene.bands[name] === undefined);
  if (missing.length > 0) return { reason: `band ${missing.join(', ')} is missing from the Item` };
  try {
    const bands: Record<string, PreparedBand> = {};
    for (const name of wanted) bands[name] = await prepareBand(plan, scene.bands[name], opening);
    const mask = plan.mask ? await prepareBand(plan, scene.bands[plan.mask.band], opening) : null;
    checkTypes(plan, bands, mask);
    return { id: scene.id, day: new Date(scene.datetime).toISOString().slice(0, 10), steps, mask, bands };
  } catch (error) {
    if (isDomainError(error) && error.code === 'input_data') return { reason: error.message };
    throw error;
  }
}

async function prepareBand(plan: PixelPlan, band: SceneBand | undefined, opening: Opening): Promise<PreparedBand> {
  if (band === undefined) throw new DomainError('input_data', 'a band is missing from the Item');
  const file = await openRaster(band.href, opening);
  file.close();
  return {
    layout: file.layout,
    alignment: alignGrids(file.grid, plan.grid),
    offset: band.offset,
    nodata: band.nodata ?? file.nodata,
  };
}

function checkTypes(plan: PixelPlan, bands: Readonly<Record<string, PreparedBand>>, mask: PreparedBand | null): void {
  for (const { layout } of Object.values(bands)) {
    if (layout.dtype === 'uint8' || layout.dtype === 'uint16' || layout.dtype === 'int16') continue;
    throw new DomainError(
      'input_data',
      `${layout.href}: ${layout.dtype} samples cannot be composited; rewrite it as UInt16 or Int16`,
    );
  }
  if (mask !== null && mask.layout.dtype !== 'uint8') {
    throw new DomainError(
      'input_data',
      `${mask.layout.href}: mask band ${plan.mask?.band} holds ${mask.layout.dtype}, expected uint8 codes`,
    );
  }
}
