import type { BandName } from '@headwater/core/pixel-plan';
import { countOf } from '@headwater/core/values';
import { LULC_BANDS } from '@headwater/land-cover';
import { bandFile, type LeftOut, type Radiometry } from '@headwater/ingest';
import type { MadeCatalog } from './make-catalog.ts';
import type { MadeScene } from './make-scene.ts';

const MOST_LINES = 40;

const NOTHING_FOUND =
  'no scene of Sentinel-2 L2A found: name a folder with SAFE folders, or with files whose names have a band and a day, such as T43QGV_20220115T051131_B02_10m.jp2';
const NOTHING_MADE = 'no scene was made, because none of the files could be converted:';

/** Lines about the catalogue: scenes, assumptions, missing bands, files left out with reasons, and the next command. */
export function reportLines(catalog: MadeCatalog, next: string): readonly string[] {
  const { root, scenes, leftOut, converted, present, items } = catalog;
  if (items === 0) return [scenes.length === 0 ? NOTHING_FOUND : NOTHING_MADE, ...leftOutLines(leftOut)];
  return [
    `${root}: ${countOf(items, 'scene')} in the catalogue; ${countOf(converted, 'file')} converted, ${present.toLocaleString('en')} converted before`,
    ...radiometryLines(scenes),
    ...timeLine(scenes),
    ...missingLines(scenes),
    ...leftOutLines(leftOut),
    `Next: ${next} lists what a run would read.`,
  ];
}

/**
 * True if every file that a layer reads was converted, and every scene has the bands of land cover and a known offset.
 */
export const isComplete = ({ scenes, leftOut, items }: MadeCatalog): boolean =>
  items > 0 &&
  leftOut.every(({ isHarmless }) => isHarmless) &&
  scenes.every((scene) => lackingOf(scene).length === 0 && scene.radiometry.basis !== 'unknown');

const BASIS: Readonly<Record<Radiometry['basis'], string | undefined>> = {
  metadata: undefined,
  name: 'offset of the values by the processing baseline in the name',
  given: 'as given by --baseline or --offset in this call, or as in the earlier Item of the scene',
  file: "scale and offset of the files' own tags",
  day:
    'no metadata and from before 25 January 2022: it is assumed that the values have no offset. Products that were ' +
    'processed again later (baseline 05.00 or newer) have an offset: for these, call again with --baseline 05.00',
  unknown:
    'OFFSET UNKNOWN; runs leave out such scenes: no metadata, and products since 25 January 2022 have an offset of -1000 unless the ' +
    'provider removed it. Call again with --baseline NN.NN (N0510 in the name of the product is 05.10), or with --offset 0 if it was removed. ' +
    'Nothing is converted twice',
};

/** Text about the source of the offset, with the value of the offset if the user set it. */
function basisText({ basis, offset }: Radiometry): string | undefined {
  return basis === 'given' && typeof offset === 'number' ? `offset ${offset}, ${BASIS[basis]}` : BASIS[basis];
}

function radiometryLines(scenes: readonly MadeScene[]): readonly string[] {
  return grouped(scenes, ({ radiometry }) => basisText(radiometry)).map(
    ([text, some]) => `${countOf(some.length, 'scene')} (first ${some[0]?.scene.id ?? ''}): ${text}`,
  );
}

function timeLine(scenes: readonly MadeScene[]): readonly string[] {
  const some = scenes.filter(({ scene }) => scene.time === undefined);
  if (some.length === 0) return [];
  return [
    `${countOf(some.length, 'scene')} (first ${some[0]?.scene.id ?? ''}): no time in the names; 10:30 local solar time is assumed`,
  ];
}

const idOf = (band: BandName): string => bandFile(band).replace('.tif', '');
const lackingOf = ({ bands }: MadeScene): readonly BandName[] => LULC_BANDS.filter((band) => !bands.includes(band));

function missingLines(scenes: readonly MadeScene[]): readonly string[] {
  return grouped(scenes, (scene) => lackingOf(scene).map(idOf).join(', ') || undefined).map(
    ([lacking, some]) =>
      `${countOf(some.length, 'scene')} (first ${some[0]?.scene.id ?? ''}): LACKS ${lacking}; land cover leaves out such scenes. ` +
      'Put the missing files next to the others and call again',
  );
}

function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  const serious = leftOut.filter(({ isHarmless }) => !isHarmless);
  const groups = [serious, leftOut.filter(({ isHarmless }) => isHarmless)].flatMap((some) =>
    grouped(some, ({ reason }) => reason),
  );
  const lines = groups.map(
    ([reason, some]) =>
      `left out: ${some.length === 1 ? '' : `${some.length.toLocaleString('en')} files or folders, the first is `}${some[0]?.shown ?? ''}: ${reason}`,
  );
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `left out: ${countOf(more, 'further reason')}`] : lines;
}

/** Groups values by text, in the order of their first values. Values without a text are skipped. */
function grouped<T>(values: readonly T[], textOf: (value: T) => string | undefined): readonly [string, readonly T[]][] {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const text = textOf(value);
    if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), value]);
  }
  return [...groups];
}
