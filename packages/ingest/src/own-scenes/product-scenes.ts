import { basename } from 'node:path';
import type { BandName } from '@headwater/core/pixel-plan';
import type { BandSource, GivenRadiometry, LeftOut, OwnScene } from './own-scene.ts';
import { looseRadiometry, metadataRadiometry } from './radiometry.ts';
import { defined, parseSafeMetadata, type SafeMetadata } from './safe-metadata.ts';
import { bandOf, factsOf, metresOf } from './scene-names.ts';

/** SAFE folder, or zip file of one. */
export interface ProductFiles {
  readonly path: string;
  /** Files of the product by relative path, with `/` as separator. */
  readonly files: ReadonlyMap<string, Omit<BandSource, 'band'>>;
  /** Reads a file as text; undefined if the file cannot be read. */
  readonly readText: (name: string) => Promise<string | undefined>;
}

/** Scenes of a product, and what is left out. If a product has no scene, `leftOut` has the reason. */
export interface ProductScenes {
  readonly scenes: readonly OwnScene[];
  readonly leftOut: readonly LeftOut[];
}

const METADATA = /^(?:MTD_MSIL(?:2A|1C)|S2[A-D]_\w+_MTD_SAFL(?:2A|1C)_\w+)\.xml$/i;
const NO_BANDS = /(?:^|\/)(?:QI_DATA|AUX_DATA|HTML|DATASTRIP|rep_info)\//i;

/** True for the name of a product's metadata file. */
export const isMetadataFile = (name: string): boolean => METADATA.test(name);

/** Scenes of a product, one per tile. */
export async function productScenes(product: ProductFiles, given: GivenRadiometry): Promise<ProductScenes> {
  const leftOutBecause = (reason: string): ProductScenes => ({
    scenes: [],
    leftOut: [{ shown: product.path, reason, isHarmless: false }],
  });
  const metadata = await metadataOf(product);
  if (metadata === 'broken')
    return leftOutBecause('its metadata (MTD_MSIL2A.xml) are not valid XML of a product; download it again');
  const names = [metadata?.uri ?? '', basename(product.path)];
  const facts = factsOf(names);
  if (metadata?.isL2A === false || !facts.isL2A)
    return leftOutBecause(
      'it is Level-1C, not corrected for the atmosphere; download the Level-2A product of this acquisition',
    );
  const byTile = bandsByTile(product, await announcedBytes(product));
  if (byTile.size === 0)
    return leftOutBecause('it has no image of a band (GRANULE/*/IMG_DATA); download the whole product again');
  const scenes = [...byTile].flatMap(([tile, sources]): readonly OwnScene[] => {
    const own = factsOf([basename([...sources.values()][0]?.member ?? [...sources.values()][0]?.path ?? '')]);
    const startsAt = metadata?.startsAt;
    const day = startsAt?.slice(0, 10) ?? facts.day ?? own.day;
    if (day === undefined) return [];
    const time = startsAt?.slice(11, 19) ?? facts.time ?? own.time;
    const radiometry = metadata && metadataRadiometry(metadata);
    const stem = (metadata?.uri ?? basename(product.path)).replace(/(?:\.SAFE|\.zip)+$/i, '');
    const id = facts.product ?? stem.replaceAll(/[^\w.-]+/g, '-');
    return [
      {
        id: byTile.size > 1 ? `${id}_T${tile}` : id,
        from: product.path,
        day,
        sources,
        radiometry: radiometry ?? looseRadiometry({ ...facts, day }, given),
        ...defined({
          tile: tile === '' ? facts.tile : tile,
          time,
          platform: metadata?.platform ?? facts.platform,
          productUri: metadata?.uri ?? (facts.product === undefined ? undefined : `${facts.product}.SAFE`),
          madeAt: metadata?.madeAt ?? facts.madeAt,
          cloudCover: metadata?.cloudCover,
        }),
      },
    ];
  });
  return scenes.length > 0 ? { scenes, leftOut: [] } : leftOutBecause('neither its metadata nor its name has a date');
}

async function metadataOf({ files, readText }: ProductFiles): Promise<SafeMetadata | 'broken' | undefined> {
  const [name] = [...files.keys()]
    .filter((each) => isMetadataFile(basename(each)))
    .toSorted((a, b) => a.length - b.length);
  if (name === undefined) return undefined;
  return parseSafeMetadata((await readText(name)) ?? '') ?? 'broken';
}

async function announcedBytes({ files, readText }: ProductFiles): Promise<ReadonlyMap<string, number>> {
  const name = [...files.keys()].find((each) => /(?:^|\/)manifest\.safe$/i.test(each));
  const text = name === undefined ? undefined : await readText(name);
  const folder = name?.slice(0, -'manifest.safe'.length) ?? '';
  const entries = (text ?? '').matchAll(/\bsize="(\d+)"[^<>]*>\s*<fileLocation\b[^<>]*\bhref="(?:\.\/)?([^"<>]+)"/g);
  return new Map([...entries].map(([, bytes, href = '']) => [`${folder}${href}`, Number(bytes)]));
}

function bandsByTile(
  { files }: ProductFiles,
  announced: ReadonlyMap<string, number>,
): ReadonlyMap<string, ReadonlyMap<BandName, BandSource>> {
  const tiles = new Map<string, Map<BandName, BandSource>>();
  for (const [name, file] of files) {
    const band = bandOf(basename(name));
    if (!isImage(name) || NO_BANDS.test(name) || band === undefined || band === 'unused') continue;
    const { tile = '' } = factsOf([basename(name)]);
    const own = tiles.get(tile) ?? new Map<BandName, BandSource>();
    tiles.set(tile, own);
    const source: BandSource = {
      ...file,
      band,
      ...defined({ metres: metresOf(name.split('/').toReversed()), announcedBytes: announced.get(name) }),
    };
    if (isFiner(source, own.get(band))) own.set(band, source);
  }
  return tiles;
}

/** True for the name of an image. */
export const isImage = (name: string): boolean => /\.(?:jp2|j2k|tiff?)$/i.test(name);

/** True if `source` has smaller pixels than `other`, or if `other` is undefined. */
export const isFiner = (source: BandSource, other: BandSource | undefined): boolean =>
  other === undefined || (source.metres ?? Infinity) < (other.metres ?? Infinity);
