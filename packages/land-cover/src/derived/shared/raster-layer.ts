import { fileName, outputGrid, type Rgba, type WorkContext, type WrittenRaster } from '@headwater/core';
import { percentOf } from '@headwater/core/values';
import { type MadeLayer, publishRasterLayer, rasterQml, rasterSld, rgb, type StyleClass } from '@headwater/layer-kit';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { GSD } from '../../run/rasters.ts';
import { type Described, draftOf, type ItemWork } from './described.ts';

/** A class of a raster: its value, what it is called, how it is drawn. */
export interface RasterClass {
  readonly value: number;
  /** Slug of `classification:classes`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `#rrggbb`. */
  readonly color: string;
}

/** A raster of classes to be published; 0 is no data. */
export interface RasterDraft extends Described {
  readonly raster: ScratchRaster;
  readonly classes: readonly RasterClass[];
  /** What value 0 means. */
  readonly nothing: string;
}

/** Colours of classes; 0 is transparent. */
const paletteOf = (classes: readonly RasterClass[]): Readonly<Record<number, Rgba>> =>
  Object.fromEntries(classes.map(({ value, color }) => [value, [...rgb(color), 255] as const]));

/** Writes the COG of a raster of classes, and publishes it (`publishRasterLayer`). */
export async function writeRasterLayer(draft: RasterDraft, work: ItemWork, progress: WorkContext): Promise<MadeLayer> {
  const { words, raster, classes, nothing } = draft;
  const { job, ports, files } = work;
  const described = draftOf(draft, work);
  const name = `${fileName(described.members.id)}.tif`;
  const palette = paletteOf(classes);
  const names = Object.fromEntries([[0, nothing], ...classes.map(({ value, title }) => [value, title] as const)]);
  const cog = await ports.pixels.writeCog(
    { raster, grid: outputGrid(job.box), clip: job.clip, palette, names, path: files.path(name) },
    progress,
  );
  const styles = classes.map(({ value, title, color }): StyleClass => ({ value, label: title, color, alpha: 255 }));
  return publishRasterLayer(
    {
      ...described,
      cog,
      file: await files.stat(name),
      gsd: GSD,
      content: { classes: countedClasses(classes, { cog, nothing }), dataType: 'uint8', nodata: 0 },
      style: (layerName) => ({ qml: rasterQml(styles), sld: rasterSld(layerName, words.title, styles) }),
      colors: { palette },
    },
    work,
  );
}

function countedClasses(
  classes: readonly RasterClass[],
  { cog, nothing }: { readonly cog: WrittenRaster; readonly nothing: string },
): NonEmpty<ClassInput> {
  const { histogram, inside } = cog;
  const all = classes.reduce((sum, { value }) => sum + (histogram[value] ?? 0), 0);
  const background: ClassInput = {
    value: 0,
    name: 'background',
    title: 'Background',
    description: nothing,
    color: '#000000',
    nodata: true,
    count: Math.max(inside - all, 0),
  };
  const counted = classes.map((each): ClassInput => {
    const count = histogram[each.value] ?? 0;
    return { ...each, count, percentage: percentOf(count, all) };
  });
  return [background, ...counted];
}
