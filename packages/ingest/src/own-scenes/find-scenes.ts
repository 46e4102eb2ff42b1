import { readFile } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import { DomainError, messageOf } from '@headwater/core';
import type { BandName } from '@headwater/core/pixel-plan';
import type { GivenRadiometry, LeftOut, OwnScene, BandSource } from './own-scene.ts';
import {
  isImage,
  isMetadataFile,
  type ProductFiles,
  productScenes,
  type ProductScenes,
  isFiner,
} from './product-scenes.ts';
import { type FoundFile, MOST_FILES, walkFolder } from './walk-folder.ts';
import { openProductZip } from './zipped-product.ts';
import { looseRadiometry } from './radiometry.ts';
import { defined } from './safe-metadata.ts';
import { bandOf, factsOf, metresOf, type NamedFacts } from './scene-names.ts';

interface FoundScenes {
  readonly scenes: readonly OwnScene[];
  readonly leftOut: readonly LeftOut[];
}

interface FindOptions {
  readonly folder: string;
  readonly target: string;
  readonly given: GivenRadiometry;
}

/** Largest metadata or manifest file, bytes. Usual files have some 50 KB. */
const MAX_TEXT = 16 * 1024 * 1024;
const UNFINISHED = /\.(?:crdownload|part|partial|filepart|incomplete|download)$/i;
const ARCHIVE = /\.(?:tar|tgz|tar\.gz|tar\.bz2|7z|rar)$/i;

/**
 * Finds Sentinel-2 L2A scenes in a folder: SAFE folders, also zipped, and single images. An image has the band in its
 * name, and the day in its name or the name of a folder. Subfolders with a STAC catalogue, and the target folder, are
 * skipped. A processing of an acquisition is left out if a newer one has all its bands.
 */
export async function findScenes({ folder, target, given }: FindOptions): Promise<FoundScenes> {
  const isCatalogue = (names: readonly string[]): boolean =>
    names.includes('catalog.json') || names.includes('collection.json');
  const enters = (dir: string, names: readonly string[]): boolean =>
    dir !== target && (dir === folder || !isCatalogue(names));
  const { files, isWhole } = await walkFolder(folder, enters);
  if (!isWhole)
    throw new DomainError(
      'input_data',
      `${folder}: it has more than ${MOST_FILES} files; name a folder with fewer files`,
    );
  const products = productFolders(folder, files);
  const found: ProductScenes[] = [];
  const loose: FoundFile[] = [];
  const inProduct = new Map<string, FoundFile[]>();
  for (const file of files) {
    const product = products.find((each) => file.path.startsWith(`${each}${sep}`));
    if (product !== undefined) inProduct.set(product, [...(inProduct.get(product) ?? []), file]);
    else if (/\.zip$/i.test(file.path)) found.push(await zipScenes(file, given));
    else if (isImage(file.path)) loose.push(file);
    else if (UNFINISHED.test(file.path))
      found.push(leaving(file.path, 'it is an unfinished download; finish it and run the command again'));
    else if (ARCHIVE.test(file.path))
      found.push(leaving(file.path, 'it is an archive; unpack it and run the command again'));
  }
  for (const [path, own] of inProduct) found.push(await productScenes(folderProduct(path, own), given));
  found.push(looseScenes(folder, loose, given));
  return newestOnly(
    found.flatMap(({ scenes }) => scenes),
    found.flatMap(({ leftOut }) => leftOut),
  );
}

const leaving = (shown: string, reason: string): ProductScenes => ({
  scenes: [],
  leftOut: [{ shown, reason, isHarmless: false }],
});

/** Folders that contain a product's metadata, or whose names end with `.SAFE`. The longest path is first. */
function productFolders(folder: string, files: readonly FoundFile[]): readonly string[] {
  const found = new Set<string>();
  for (const { path } of files) {
    const dir = dirname(path);
    if (isMetadataFile(basename(path))) found.add(dir);
    const parts = `${basename(folder)}${sep}${relative(folder, path)}`.split(sep);
    const safe = parts.slice(0, -1).findLastIndex((part) => /\.SAFE$/i.test(part));
    if (safe >= 0) found.add([folder, ...parts.slice(1, safe + 1)].join(sep));
  }
  return [...found].toSorted((a, b) => b.length - a.length);
}

const folderProduct = (path: string, files: readonly FoundFile[]): ProductFiles => ({
  path,
  files: new Map(files.map((file) => [relative(path, file.path).split(sep).join('/'), file])),
  readText: async (name) => {
    const file = files.find((each) => relative(path, each.path).split(sep).join('/') === name);
    return file === undefined || file.bytes > MAX_TEXT ? undefined : readFile(file.path, 'utf8').catch(() => undefined);
  },
});

async function zipScenes(file: FoundFile, given: GivenRadiometry): Promise<ProductScenes> {
  try {
    const zip = await openProductZip(file.path);
    try {
      const names = zip.names.filter((name) => !name.endsWith('/') && !name.startsWith('__MACOSX/'));
      if (!names.some((name) => isMetadataFile(basename(name)) || /\.SAFE\//i.test(name)))
        return names.some(isImage)
          ? leaving(file.path, 'it is a zip file of images without a product; unpack it and run the command again')
          : { scenes: [], leftOut: [] };
      const { path, modifiedMs } = file;
      const members = names.map((member) => [member, { path, member, bytes: zip.sizeOf(member), modifiedMs }] as const);
      return await productScenes(
        {
          path,
          files: new Map(members),
          readText: async (name) => {
            if (zip.sizeOf(name) > MAX_TEXT) return undefined;
            const parts: Uint8Array[] = [];
            for await (const part of zip.read(name)) parts.push(part);
            return Buffer.concat(parts).toString('utf8');
          },
        },
        given,
      );
    } finally {
      zip.close();
    }
  } catch (error) {
    return leaving(file.path, messageOf(error));
  }
}

function newestOnly(all: readonly OwnScene[], leftOut: readonly LeftOut[]): FoundScenes {
  const allLeftOut = [...leftOut];
  const byId = new Map<string, OwnScene>();
  // Folders come before zip files, because their images need not be unpacked.
  for (const scene of all.toSorted((a, b) => Number(isZipped(a)) - Number(isZipped(b)))) {
    const other = byId.get(scene.id);
    if (other === undefined) byId.set(scene.id, scene);
    else
      allLeftOut.push({
        shown: scene.from,
        reason: `${other.from} has the same product and is used instead`,
        isHarmless: true,
      });
  }
  const scenes = [...byId.values()].filter((scene) => {
    const newer = newerOf(scene, [...byId.values()]);
    if (newer === undefined) return true;
    const reason = `${newer.from} has the same acquisition with a newer processing baseline (${newer.radiometry.baseline ?? ''}) and is used instead`;
    allLeftOut.push({ shown: scene.from, reason, isHarmless: true });
    return false;
  });
  return {
    scenes: scenes.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.id < b.id ? -1 : 1)),
    leftOut: allLeftOut,
  };
}

const isZipped = ({ from }: OwnScene): boolean => /\.zip$/i.test(from);

function newerOf(scene: OwnScene, all: readonly OwnScene[]): OwnScene | undefined {
  const { tile, day, time, radiometry, sources } = scene;
  if (tile === undefined || radiometry.baseline === undefined) return undefined;
  return all.find(
    (each) =>
      each.tile === tile &&
      each.day === day &&
      each.time === time &&
      (each.radiometry.baseline ?? '') > (radiometry.baseline ?? '') &&
      [...sources.keys()].every((band) => each.sources.has(band)),
  );
}

interface Group {
  readonly facts: NamedFacts & { readonly day: string };
  readonly from: string;
  readonly sources: Map<BandName, BandSource>;
}

function looseScenes(folder: string, files: readonly FoundFile[], given: GivenRadiometry): ProductScenes {
  const leftOut: LeftOut[] = [];
  const groups = new Map<string, Group>();
  for (const file of files) {
    const leave = (reason: string, isHarmless = false): void =>
      void leftOut.push({ shown: file.path, reason, isHarmless });
    const names = namesOf(folder, file.path);
    const facts = factsOf(names);
    const { day } = facts;
    const band = bandOf(basename(file.path));
    if (band === 'unused') leave('no layer reads this band', true);
    else if (band === undefined)
      leave(
        'its name has no band, or has several bands; rename it so that it has exactly one band (B02, B03, B04, B08, B11, B12 or SCL)',
      );
    else if (!facts.isL2A) leave('it is Level-1C, not corrected for the atmosphere; download Level-2A');
    else if (day === undefined)
      leave(
        'neither its name nor its folder has the day of acquisition: rename one of them, for example to B02_20220115.tif',
      );
    else {
      const id = idOf({ ...facts, day }, relative(folder, dirname(file.path)));
      const group = groups.get(id) ?? { facts: { ...facts, day }, from: dirname(file.path), sources: new Map() };
      groups.set(id, group);
      const source: BandSource = { ...file, band, ...defined({ metres: metresOf(names) }) };
      const other = group.sources.get(band);
      const loser = isFiner(source, other) ? other : source;
      if (loser !== source) group.sources.set(band, source);
      if (loser !== undefined)
        leftOut.push({
          shown: loser.path,
          reason: `${group.sources.get(band)?.path ?? ''} has the same band of the same scene and is used instead`,
          isHarmless: true,
        });
    }
  }
  return { scenes: [...groups].map(([id, group]) => sceneOf(id, group, given)), leftOut };
}

const namesOf = (folder: string, path: string): readonly string[] => [
  ...relative(folder, path).split(sep).toReversed(),
  basename(folder),
];

/**
 * Id of a scene: the name of the product, if known. Otherwise platform, tile (or folder), day, time and baseline, as
 * far as they are known.
 */
function idOf({ product, tile, platform, day, time, baseline }: Group['facts'], folder: string): string {
  if (product !== undefined) return product;
  const stamp = `${day.replaceAll('-', '')}${time === undefined ? '' : `T${time.replaceAll(':', '')}`}`;
  const place = tile === undefined ? folder.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') : `T${tile}`;
  const version = baseline === undefined ? '' : `N${baseline.replace('.', '')}`;
  return [platform ?? 'S2', place, stamp, version].filter((part) => part !== '').join('_');
}

function sceneOf(id: string, { facts, from, sources }: Group, given: GivenRadiometry): OwnScene {
  const { day, tile, time, platform, product, madeAt } = facts;
  const productUri = product === undefined ? undefined : `${product}.SAFE`;
  return {
    id,
    from,
    day,
    sources,
    radiometry: looseRadiometry(facts, given),
    ...defined({ tile, time, platform, productUri, madeAt }),
  };
}
