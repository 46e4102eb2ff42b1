import { basename, dirname, relative, sep } from 'node:path';
import type { BandName } from '@headwater/core/pixel-plan';
import type { BandSource, GivenRadiometry, LeftOut, OwnScene } from './own-scene.ts';
import { isFiner, type ProductScenes } from './product-scenes.ts';
import { looseRadiometry } from './radiometry.ts';
import { defined } from './safe-metadata.ts';
import { bandOf, factsOf, metresOf, type NamedFacts } from './scene-names.ts';
import type { FoundFile } from './walk-folder.ts';

interface Group {
  readonly facts: NamedFacts & { readonly day: string };
  readonly from: string;
  readonly sources: Map<BandName, BandSource>;
}

/** Groups images outside of products into scenes, by tile and day in the names of files and folders. */
export function looseScenes(folder: string, files: readonly FoundFile[], given: GivenRadiometry): ProductScenes {
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
      leave('neither its name nor its folder has the day of acquisition: rename one of them, such as B02_20220115.tif');
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
          reason: `${group.sources.get(band)?.path ?? ''} has the same band of the same scene`,
          isHarmless: true,
        });
    }
  }
  return { scenes: [...groups].map(([id, group]) => sceneOf(id, group, given)), leftOut };
}

/** Names of the file and its folders, the outermost folder last. */
const namesOf = (folder: string, path: string): readonly string[] => [
  ...relative(folder, path).split(sep).toReversed(),
  basename(folder),
];

/** Id of a scene: the product's name if a folder has it, otherwise the tile (or the folder's name) and the day. */
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
