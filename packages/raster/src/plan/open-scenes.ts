import { DomainError } from '@headwater/core/errors';
import type { PixelPlan, PlanScene, SceneBand } from '@headwater/core/pixel-plan';
import { heldNodata } from '../pixels/nodata.ts';
import { badFile, isHttp } from '../tiff/bad-file.ts';
import { checkPlain } from '../tiff/bad-file.ts';
import type { Scaling, TiffLayout } from '../tiff/layout.ts';
import { gridsNear } from '../warp/turns.ts';
import { alignGrids } from './alignment.ts';
import type { WantedFiles } from './header-worker.ts';
import type { HeaderReader } from './headers.ts';
import type { SceneTrouble } from './plan-tasks.ts';
import type { PreparedBand, PreparedScene, PreparedStep } from './prepared.ts';
import { isSceneTrouble } from './scene-files.ts';

/** A scene before it is known which others of its day can be used. */
export type Opened = Omit<PreparedScene, 'shared'>;

/** A scene, its solar day and the steps that it falls into. */
export interface Dated {
  readonly scene: PlanScene;
  readonly day: string;
  readonly at: readonly number[];
}

/** What opening scenes needs. */
export interface Opening {
  readonly plan: PixelPlan;
  readonly steps: readonly PreparedStep[];
  readonly headers: HeaderReader;
}

/** A scene that is left out. */
interface Unusable {
  readonly id: string;
  readonly reason: string;
  readonly code: SceneTrouble;
}

/** Opens scenes at once and relates their files to the grid; each is whole or, with one broken or missing file, left out. */
export async function openScenes(dated: readonly Dated[], opening: Opening): Promise<readonly (Opened | Unusable)[]> {
  const wanted = dated.map((entry) => ({ entry, ...wantedFiles(entry, opening) }));
  const whole = wanted.filter(({ missing }) => missing.length === 0);
  const found = await opening.headers.read(whole.map(({ files }) => files));
  const headers = new Map(whole.map(({ entry }, i) => [entry, found[i]]));
  return wanted.map(({ entry, missing }) => {
    const { id } = entry.scene;
    if (missing.length > 0)
      return { id, reason: `band ${missing.join(', ')} is missing from the Item`, code: 'input_data' };
    const read = headers.get(entry);
    if (read === undefined) throw new Error(`the headers of scene ${id} were not read`);
    return 'reason' in read ? { id, ...read } : prepareScene(entry, read.layouts, opening);
  });
}

/** Names of the bands that the scene's steps read. */
function bandNames({ at }: Dated, steps: Opening['steps']): readonly string[] {
  return [...new Set(steps.flatMap(({ bands }, step) => (at.includes(step) ? bands : [])))];
}

/** The files of these bands and of the mask, and the names of those that the Item lacks. */
function wantedFiles(entry: Dated, { plan, steps }: Opening): { missing: readonly string[]; files: WantedFiles } {
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
    if (isSceneTrouble(error)) return { id: scene.id, reason: error.message, code: error.code };
    throw error;
  }
}

/** A band of an Item and the layout of its file. */
interface ReadBand {
  readonly band: SceneBand | undefined;
  readonly layout: TiffLayout | undefined;
}

function prepareBand(name: string, { band, layout }: ReadBand, plan: PixelPlan): PreparedBand {
  if (band === undefined || layout === undefined)
    throw new DomainError('input_data', `band ${name} is missing from the Item`);
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

/** DNs are what a plan takes. What the file's tags make of them must be what the Item does. */
function checkSamples({ layout, use }: PreparedBand, band: SceneBand | undefined): void {
  const { dtype, href, scaling } = layout;
  checkPlain(use === 'ratio' ? { ...layout, scaling: null } : layout, 'bands of scenes');
  if (use === 'ratio' && scaling !== null && band !== undefined && !saysTheSame(scaling, band))
    throw badFile(
      href,
      `its tags say reflectance = DN x ${scaling.scale} + ${scaling.offset}, but its Item (DN + ${band.offset}) x ${band.scale}; ` +
        'correct the one that is wrong',
    );
  if (dtype === 'uint8' || dtype === 'uint16' || dtype === 'int16') return;
  throw badFile(href, `${dtype} samples cannot be composited; rewrite it as UInt16 or Int16`);
}

/** True where tags (DN x scale + offset) and Item ((DN + offset) x scale) agree. */
function saysTheSame(tags: Scaling, band: SceneBand): boolean {
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));
  return near(tags.scale, band.scale) && near(tags.offset, band.offset * band.scale);
}

function checkCodes(name: string, { layout }: PreparedBand): void {
  const { dtype, href } = layout;
  checkPlain(layout, 'mask bands');
  if (dtype === 'uint8') return;
  throw badFile(href, `mask band ${name} holds ${dtype}, expected uint8 codes`);
}
