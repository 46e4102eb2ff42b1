import {
  fileName,
  outputGrid,
  type Rgba,
  type ScratchRaster,
  type WorkContext,
  type WrittenRaster,
} from '@headwater/core';
import { percentOf } from '@headwater/core/values';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { layerItemId } from '../items/about.ts';
import type { ItemWork } from '../run/work.ts';
import { rasterQml } from '../styles/qml.ts';
import { rasterSld } from '../styles/sld.ts';
import { rgb, type StyleClass } from '../styles/ramp.ts';
import { type DescribedLayer, publishRaster } from './described-layer.ts';
import type { RunOutput } from './layer-output.ts';

const GSD = 10;

/** A class of a raster: its value, its names and its colour. */
export interface RasterClass {
  readonly value: number;
  /** Short name of the class, the field `name` in `classification:classes`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Colour, `#rrggbb`. */
  readonly color: string;
}

/** A raster of classes to publish; value 0 is no data. */
export interface ClassRasterDraft extends DescribedLayer {
  readonly raster: ScratchRaster;
  readonly classes: readonly RasterClass[];
  /** Class of pixels without observations. Percentages leave these pixels out. Absent if their value is 0. */
  readonly unseen?: RasterClass;
  /** Meaning of value 0. */
  readonly nothing: string;
}

const stylesOf = (classes: readonly RasterClass[]): readonly StyleClass[] =>
  classes.map(({ value, title, color }) => ({ value, label: title, color, alpha: 255 }));

/** SLD 1.0 of a raster of classes. */
export const classesSld = (layer: string, title: string, classes: readonly RasterClass[]): string =>
  rasterSld(layer, title, stylesOf(classes));

/** Colours by value. Value 0 is transparent. */
const paletteOf = (classes: readonly RasterClass[]): Readonly<Record<number, Rgba>> =>
  Object.fromEntries(classes.map(({ value, color }) => [value, [...rgb(color), 255] as const]));

/** Writes the COG of a raster of classes on the place's output grid, and publishes it. */
export async function publishClasses(
  draft: ClassRasterDraft,
  work: ItemWork,
  progress: WorkContext,
): Promise<RunOutput> {
  const { about, raster, classes: known, unseen, nothing } = draft;
  const classes = unseen === undefined ? known : [...known, unseen];
  const { job, ports, files } = work;
  const name = `${fileName(layerItemId(about.layer, job.slugs))}.tif`;
  const palette = paletteOf(classes);
  const names = Object.fromEntries([[0, nothing], ...classes.map(({ value, title }) => [value, title] as const)]);
  const cog = await ports.pixels.writeCog(
    { raster, grid: outputGrid(job.box), clip: job.clip, palette, names, path: files.path(name) },
    progress,
  );
  const styles = stylesOf(classes);
  return publishRaster(
    {
      ...draft,
      cog,
      file: await files.stat(name),
      gsd: GSD,
      content: { classes: countedClasses(known, { cog, nothing, unseen }), dataType: 'uint8', nodata: 0 },
      style: (layerName) => ({ qml: rasterQml(styles), sld: rasterSld(layerName, about.title, styles) }),
      colors: { palette },
    },
    work,
  );
}

function countedClasses(
  classes: readonly RasterClass[],
  {
    cog,
    nothing,
    unseen,
  }: { readonly cog: WrittenRaster; readonly nothing: string; readonly unseen: RasterClass | undefined },
): NonEmpty<ClassInput> {
  const { histogram, inside } = cog;
  const all = classes.reduce((sum, { value }) => sum + (histogram[value] ?? 0), 0);
  const hidden = unseen === undefined ? 0 : (histogram[unseen.value] ?? 0);
  const background: ClassInput = {
    value: 0,
    name: 'background',
    title: 'Background',
    description: nothing,
    color: '#000000',
    nodata: true,
    count: Math.max(inside - all - hidden, 0),
  };
  const counted = classes.map((each): ClassInput => {
    const count = histogram[each.value] ?? 0;
    return { ...each, count, percentage: percentOf(count, all) };
  });
  return [background, ...counted, ...(unseen === undefined ? [] : [{ ...unseen, count: hidden }])];
}
