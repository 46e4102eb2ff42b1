import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@headwater/core/values';
import { catalogDocuments, findScenes, type GivenRadiometry, type LeftOut } from '@headwater/ingest';
import { ConfigError } from '../config/config-error.ts';
import type { ConvertTools } from './convert-band.ts';
import { isConverted, itemPath, type MadeScene, makeScene, readJson, writeJsonIfChanged } from './make-scene.ts';

/** Inputs of a catalogue. */
export interface CatalogJob {
  readonly folder: string;
  readonly eoDir: string;
  /** Name of the catalogue, also the name of its folder below `DATA_DIR/eo`, and the id of its Collection. */
  readonly name: string;
  readonly given: GivenRadiometry;
  readonly tools: ConvertTools;
  /** Called before each conversion. `done` of `total` files are finished; `next` names the next band and its scene. */
  readonly progress: (done: number, total: number, next: string) => void;
}

/** Result of making a catalogue. */
export interface MadeCatalog {
  readonly root: string;
  readonly scenes: readonly MadeScene[];
  readonly leftOut: readonly LeftOut[];
  /** Number of files that this call converted. `present`: number of files that needed no new conversion. */
  readonly converted: number;
  readonly present: number;
  /** Number of Items in the catalogue, including Items of earlier calls. */
  readonly items: number;
}

/**
 * Converts the Sentinel-2 scenes among downloads to COGs with a static STAC catalogue. Continues the work of earlier
 * calls. Throws `storage_full`, or the reason of an abort; in both cases the catalogue names the finished scenes.
 */
export async function makeCatalog(job: CatalogJob): Promise<MadeCatalog> {
  const { folder, eoDir, name, given, tools, progress } = job;
  const root = join(eoDir, name);
  await checkTarget(root, name);
  const found = await findScenes({ folder, target: root, given });
  if (found.scenes.length === 0) return { root, ...found, scenes: [], converted: 0, present: 0, items: 0 };
  const todo = new Map<string, number>();
  let present = 0;
  for (const scene of found.scenes) {
    for (const source of scene.sources.values()) {
      if (await isConverted(root, scene, source)) present += 1;
      else todo.set(scene.id, (todo.get(scene.id) ?? 0) + 1);
    }
  }
  const total = [...todo.values()].reduce((sum, count) => sum + count, 0);
  const scenes: MadeScene[] = [];
  const all = await itemsIn(root);
  let [done, items] = [0, 0];
  await mkdir(tools.scratchDir, { recursive: true });
  try {
    for (const [index, scene] of found.scenes.entries()) {
      const onBand = (band: string): void => progress(done++, total, `${band} of ${scene.id}`);
      const result = await makeScene({ scene, root, collection: name, tools, onBand });
      scenes.push(result);
      if (result.item !== undefined) all.set(scene.id, result.item);
      // Written after each scene with new bands, so that the catalogue names all finished scenes after a kill.
      if (todo.has(scene.id) || index === found.scenes.length - 1) items = await writeCatalog(root, name, all);
    }
  } finally {
    await rm(tools.scratchDir, { recursive: true, force: true });
  }
  const leftOut = [...found.leftOut, ...scenes.flatMap((result) => result.leftOut)];
  const converted = scenes.reduce((sum, scene) => sum + scene.converted, 0);
  return { root, scenes, leftOut, converted, present, items };
}

async function checkTarget(root: string, name: string): Promise<void> {
  const catalog = await readJson(join(root, 'catalog.json'));
  if (catalog === undefined || (isObject(catalog) && catalog['id'] === `${name}-catalog`)) return;
  throw new ConfigError(`--name: ${root} has another catalogue; choose another name.`);
}

type Items = Map<string, Readonly<Record<string, unknown>>>;

async function itemsIn(root: string): Promise<Items> {
  const folders = await readdir(root, { withFileTypes: true }).catch(() => []);
  const items: Items = new Map();
  for (const entry of folders) {
    const item = entry.isDirectory() ? await readJson(itemPath(root, entry.name)) : undefined;
    if (isObject(item)) items.set(entry.name, item);
  }
  return items;
}

async function writeCatalog(root: string, name: string, items: Items): Promise<number> {
  if (items.size === 0) return 0;
  const { catalog, collection, count } = catalogDocuments(name, [...items.values()]);
  await writeJsonIfChanged(join(root, 'collection.json'), collection);
  await writeJsonIfChanged(join(root, 'catalog.json'), catalog);
  return count;
}
