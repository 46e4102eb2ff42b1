import { mkdir, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDomainError } from '@headwater/core/errors';
import type { BandName, PixelGrid } from '@headwater/core/pixel-plan';
import {
  bandFile,
  type BandSource,
  earlierRadiometry,
  type LeftOut,
  type MadeBand,
  type OwnScene,
  type Radiometry,
  sceneItem,
  shownSource,
} from '@headwater/ingest';
import { writeAtomic } from '@headwater/net/files';
import { openRaster, pointTransform } from '@headwater/raster';
import { convertBand, type ConvertTools } from './convert-band.ts';

/** Scene to make, and the catalogue's folder. */
export interface SceneTask {
  readonly scene: OwnScene;
  /** Folder of the catalogue, which has a folder for each scene id. */
  readonly root: string;
  readonly collection: string;
  readonly tools: ConvertTools;
  readonly onBand: (band: BandName) => void;
}

/** Result of `makeScene`. */
export interface MadeScene {
  readonly scene: OwnScene;
  readonly radiometry: Radiometry;
  /** Bands of the scene's Item; empty without an Item. */
  readonly bands: readonly BandName[];
  readonly item: Readonly<Record<string, unknown>> | undefined;
  readonly leftOut: readonly LeftOut[];
  /** Number of bands that this call converted. */
  readonly converted: number;
}

const DRAFT_MS = 60 * 60 * 1000;

/** Absolute path of the Item of a scene. */
export const itemPath = (root: string, id: string): string => join(root, id, `${id}.json`);

/** True if the band was converted after the last change of its source. */
export async function isConverted(root: string, { id }: Pick<OwnScene, 'id'>, source: BandSource): Promise<boolean> {
  const found = await stat(join(root, id, bandFile(source.band))).catch(() => undefined);
  return found !== undefined && found.mtimeMs >= source.modifiedMs;
}

/** Converts the bands of a scene that are not converted yet, or whose source changed. Writes the Item if it changed. */
export async function makeScene(task: SceneTask): Promise<MadeScene> {
  const { scene, root, tools, onBand } = task;
  const folder = join(root, scene.id);
  await mkdir(folder, { recursive: true });
  await removeOldDrafts(folder);
  const leftOut: LeftOut[] = [];
  let converted = 0;
  for (const source of scene.sources.values()) {
    tools.signal.throwIfAborted();
    if (await isConverted(root, scene, source)) continue;
    onBand(source.band);
    try {
      await convertBand(source, join(folder, bandFile(source.band)), tools);
      converted += 1;
    } catch (error) {
      if (!isDomainError(error) || error.code !== 'input_data') throw error;
      leftOut.push({ shown: shownSource(source), reason: reasonOf(error, source), isHarmless: false });
    }
  }
  const earlier = await readJson(itemPath(root, scene.id));
  const all = await madeBands(folder, scene, earlier);
  const bands = all.filter(({ grid }) => grid.crs === all[0]?.grid.crs);
  for (const { source, grid } of all.filter((band) => !bands.includes(band)))
    leftOut.push({
      shown: source,
      reason: `its CRS is ${grid.crs}, the CRS of the other bands is ${all[0]?.grid.crs ?? ''}; download all bands in one CRS`,
      isHarmless: false,
    });
  const radiometry = await radiometryOf(scene, earlier);
  const item = await writeItem(task, { bands, radiometry });
  // Removes the folder if it is empty; otherwise `rmdir` fails.
  await rmdir(folder).catch(() => undefined);
  return { scene, radiometry, bands: bands.map(({ band }) => band), item, leftOut, converted };
}

/** Reason of an error without the name of the file, which the report adds. */
function reasonOf(error: Error, { path, member }: BandSource): string {
  const names = [path, basename(path), ...(member === undefined ? [] : [basename(member)])];
  const text = error.message.replace(/^.*?(?:rewritten|unpacked|warped)\.\w+: /, '');
  return names.reduce((all, name) => all.replace(`${name}: `, ''), text);
}

/** Removes unfinished files (`.*.tmp`) that are older than an hour. Newer ones may belong to another call. */
async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\..*\.tmp$/.test(name)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > DRAFT_MS) await rm(join(folder, name), { force: true });
  }
}

/** Converted bands of a scene, including bands whose source no longer exists. */
async function madeBands(folder: string, scene: OwnScene, earlier: unknown): Promise<readonly MadeBand[]> {
  const names: readonly BandName[] = ['red', 'nir', 'blue', 'green', 'swir16', 'swir22', 'scl'];
  const converted: MadeBand[] = [];
  for (const band of names) {
    const path = join(folder, bandFile(band));
    if ((await stat(path).catch(() => undefined)) === undefined) continue;
    const raster = await openRaster(path).catch(() => undefined);
    raster?.close();
    if (raster === undefined) {
      // The converted file is damaged. After its removal, the next call converts its source again.
      await rm(path, { force: true });
      continue;
    }
    const { grid, dtype, nodata } = raster;
    const source = scene.sources.get(band)?.path ?? sourceIn(earlier, bandFile(band).replace('.tif', ''));
    converted.push({ band, grid, dtype, nodata: nodata ?? 0, source: source ?? path });
  }
  return converted;
}

function sourceIn(item: unknown, key: string): string | undefined {
  const asset = memberOf(memberOf(item, 'assets'), key);
  const source = memberOf(asset, 'headwater:source');
  return typeof source === 'string' ? source : undefined;
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/**
 * Scale and offset of the samples. Without metadata, the first of: the user's choice in this call, the offset in the
 * scene's earlier Item (the user may have chosen it), the baseline in the file names, the tags of the files, the day
 * (no offset before 2022-01-25).
 */
async function radiometryOf(scene: OwnScene, item: unknown): Promise<Radiometry> {
  const { radiometry } = scene;
  if (radiometry.basis === 'metadata' || radiometry.basis === 'given') return radiometry;
  const found = radiometry.basis === 'name' ? radiometry : ((await tagsOf(scene)) ?? radiometry);
  const earlier = earlierRadiometry(item);
  return earlier === undefined || earlier.offset === found.offset ? found : earlier;
}

async function tagsOf({ sources }: OwnScene): Promise<Radiometry | undefined> {
  for (const { band, path, member } of sources.values()) {
    if (band === 'scl' || member !== undefined || !/\.tiff?$/i.test(path)) continue;
    const raster = await openRaster(path).catch(() => undefined);
    raster?.close();
    const scaling = raster?.layout.scaling;
    if (scaling !== undefined && scaling !== null && scaling.scale > 0)
      return { basis: 'file', scale: scaling.scale, offset: Math.round(scaling.offset / scaling.scale) };
  }
  return undefined;
}

interface ItemContent {
  readonly bands: readonly MadeBand[];
  readonly radiometry: Radiometry;
}

async function writeItem({ scene, root, collection }: SceneTask, { bands, radiometry }: ItemContent) {
  const [first] = bands;
  if (first === undefined) return undefined;
  const item = sceneItem({ scene, radiometry, bands, footprint: footprintOf(first.grid), collection });
  await writeJsonIfChanged(itemPath(root, scene.id), item);
  return item;
}

function footprintOf({ crs, west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid) {
  const toLonLat = pointTransform(crs, 'EPSG:4326');
  const [east, south] = [west + cols * pixelWidth, north - rows * pixelHeight];
  return (
    [
      [west, north],
      [west, south],
      [east, south],
      [east, north],
    ] as const
  ).map(([x, y]) => {
    const [lon, lat] = toLonLat(x, y);
    return [Number(lon.toFixed(7)), Number(lat.toFixed(7))] as const;
  });
}

/** Parsed JSON of a file; undefined if it is missing or broken. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes indented JSON, unless the file already has the same content. */
export async function writeJsonIfChanged(path: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, null, 1)}\n`;
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await writeAtomic(path, (sink) => sink.write([new TextEncoder().encode(text)]));
}
