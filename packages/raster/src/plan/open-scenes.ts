import { DomainError } from '@headwater/core/errors';
import type { PixelPlan, PlanScene, SceneBand } from '@headwater/core/pixel-plan';
import { heldNodata } from '../pixels/nodata.ts';
import { badFile, isHttp } from '../tiff/bad-file.ts';
import { checkPlain } from '../tiff/bad-file.ts';
import type { Scaling, TiffLayout } from '../tiff/layout.ts';
import { gridsNear } from '../warp/turns.ts';
import { alignGrids } from './alignment.ts';
import type { HeaderFiles } from './header-worker.ts';
import type { HeaderReader } from './headers.ts';
import type { SceneTrouble } from './plan-tasks.ts';
import type { PreparedBand, PreparedScene, PreparedStep } from './prepared.ts';
import { sceneTrouble } from './scene-files.ts';

/** Opened scene. `shared` is missing, because it depends on other scenes of the day. */
export type Opened = Omit<PreparedScene, 'shared'>;

/** A scene, its solar day and its steps. */
export interface Dated {
  readonly scene: PlanScene;
  readonly day: string;
  readonly at: readonly number[];
}

/** Context for opening scenes. */
export interface Opening {
  readonly plan: PixelPlan;
  readonly steps: readonly PreparedStep[];
  readonly headers: HeaderReader;
}

interface Unusable {
  readonly id: string;
  readonly reason: string;
  readonly code: SceneTrouble;
}

/**
 * Opens several scenes, and computes the positions of their files on the plan's grid. Returns a reason instead of each
 * scene with a broken or unavailable file, or without a needed band.
 */
export async function openScenes(dated: readonly Dated[], opening: Opening): Promise<readonly (Opened | Unusable)[]> {
  const requested = dated.map((entry) => ({ entry, ...filesOf(entry, opening) }));
  const whole = requested.filter(({ missing }) => missing.length === 0);
  const found = await opening.headers.read(whole.map(({ files }) => files));
  const headers = new Map(whole.map(({ entry }, i) => [entry, found[i]]));
  return requested.map(({ entry, missing }) => {
    const { id } = entry.scene;
    if (missing.length > 0)
      return { id, reason: `the Item has no file for: ${missing.join(', ')}`, code: 'input_data' };
    const read = headers.get(entry);
    if (read === undefined) throw new Error(`the headers of scene ${id} were not read`);
    return 'reason' in read ? { id, ...read } : prepareScene(entry, read.layouts, opening);
  });
}

function bandNames({ at }: Dated, steps: Opening['steps']): readonly string[] {
  return [...new Set(steps.flatMap(({ bands }, step) => (at.includes(step) ? bands : [])))];
}

/** Returns the files of the scene's bands and mask, and the bands that the Item does not have. */
function filesOf(entry: Dated, { plan, steps }: Opening): { missing: readonly string[]; files: HeaderFiles } {
  const { bands } = entry.scene;
  const names = new Set([...bandNames(entry, steps), ...(plan.mask === null ? [] : [plan.mask.band])]);
  const files = new Map<string, SceneBand>();
  for (const name of names) {
    const band = bands[name];
    if (band !== undefined) files.set(name, band);
  }
  return { missing: [...names].filter((name) => !files.has(name)), files };
}

function prepareScene(
  entry: Dated,
  layouts: ReadonlyMap<string, TiffLayout>,
  { plan, steps }: Opening,
): Opened | Unusable {
  const { scene, day, at } = entry;
  const prepared = (name: string): PreparedBand =>
    prepareBand(name, { band: scene.bands[name], layout: layouts.get(name) }, plan);
  try {
    const bands = Object.fromEntries(bandNames(entry, steps).map((name) => [name, prepared(name)]));
    const mask = plan.mask === null ? null : prepared(plan.mask.band);
    for (const [name, band] of Object.entries(bands)) checkSamples(band, scene.bands[name]);
    if (plan.mask !== null && mask !== null) checkCodes(plan.mask.band, mask);
    return { id: scene.id, day, steps: at, mask, bands };
  } catch (error) {
    const trouble = sceneTrouble(error);
    if (trouble === undefined) throw error;
    return { id: scene.id, ...trouble };
  }
}

interface ReadBand {
  readonly band: SceneBand | undefined;
  readonly layout: TiffLayout | undefined;
}

function prepareBand(name: string, { band, layout }: ReadBand, plan: PixelPlan): PreparedBand {
  if (band === undefined || layout === undefined)
    throw new DomainError('input_data', `the Item has no file for: ${name}`);
  const passed = plan.indices.some(({ formula }) => formula.kind === 'band' && formula.band === name);
  const [grid = layout.grid] = gridsNear(layout.grid, plan.grid);
  return {
    layout: { ...layout, grid },
    alignment: alignGrids(grid, plan.grid),
    offset: band.offset,
    nodata: heldNodata(band.nodata, layout.dtype) ?? layout.nodata,
    use: passed ? 'band' : 'ratio',
    remote: isHttp(layout.href),
    within: band.within,
  };
}

/**
 * Throws `input_data` unless the samples are uint8, uint16 or int16, without a mask or an alpha band. Tags for scale
 * and offset are refused if an index copies the band (`use` is `band`). For a normalised difference (`ratio`), they
 * must agree with the Item.
 */
function checkSamples({ layout, use }: PreparedBand, band: SceneBand | undefined): void {
  const { dtype, href, scaling } = layout;
  checkPlain(use === 'ratio' ? { ...layout, scaling: null } : layout, 'bands of scenes');
  if (use === 'ratio' && scaling !== null && band !== undefined && !isSameScaling(scaling, band))
    throw badFile(
      href,
      `its tags mean reflectance = DN x ${scaling.scale} + ${scaling.offset}, but its Item means (DN + ${band.offset}) x ${band.scale}; ` +
        'correct the one that is wrong',
    );
  if (dtype === 'uint8' || dtype === 'uint16' || dtype === 'int16') return;
  throw badFile(href, `${dtype} samples cannot be composited; rewrite it as UInt16 or Int16`);
}

/** Value by the tags: DN x scale + offset. Value by the Item: (DN + offset) x scale. */
function isSameScaling(tags: Scaling, band: SceneBand): boolean {
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));
  return near(tags.scale, band.scale) && near(tags.offset, band.offset * band.scale);
}

function checkCodes(name: string, { layout }: PreparedBand): void {
  const { dtype, href } = layout;
  checkPlain(layout, 'mask bands');
  if (dtype === 'uint8') return;
  throw badFile(href, `mask band ${name} has ${dtype} samples; it needs uint8 codes`);
}
