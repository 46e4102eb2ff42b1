import { fileName, isDomainError, type PixelEngine, type Rgba, type WrittenRaster } from '@headwater/core';
import type { PixelGrid, PlaneType } from '@headwater/core/pixel-plan';
import {
  rampLegend,
  rampQml,
  rampSld,
  rampStops,
  type RasterLayerDraft,
  rasterQml,
  rasterSld,
  rgb,
  type RunFiles,
  type StyleClass,
  type StyleTexts,
} from '@headwater/layer-kit';
import type { ClassInput, NonEmpty, RasterContent } from '@headwater/stac';
import { type ImportRequest, badFile } from '../shared/import-deps.ts';
import { storedAs, type StoredPixels } from './stored-pixels.ts';
import { importedDraft, type ImportedItem } from './layer-members.ts';
import type { LayerOptions } from './layer-options.ts';
import { gsdOf, publishedGrid } from './raster-grid.ts';

/** Maximum number of pixels. A tehsil at 10 m has some 25 million. */
const MOST_PIXELS = 400_000_000;
const RAMP = ['#f7fcf5', '#74c476', '#00441b'] as const;
const REMEDY = 'Convert it: gdal_translate -of COG -co COMPRESS=DEFLATE IN.tif OUT.tif';

/** Grid, type and nodata value of the published raster. */
export interface RasterPlan extends StoredPixels {
  readonly grid: PixelGrid;
}

/**
 * Plans the storage of a raster. Throws `validation` if the raster is unreadable, too large or outside of the place, or
 * does not fit the classes.
 */
export async function planRaster(
  pixels: Pick<PixelEngine, 'gridOf'>,
  { options, job: place }: Pick<ImportedItem, 'options' | 'job'>,
  request: ImportRequest,
): Promise<RasterPlan> {
  const header = await pixels.gridOf(request.path).catch((error: unknown) => {
    throw isDomainError(error) && error.code === 'input_data' ? badFile(request, `${error.message} ${REMEDY}.`) : error;
  });
  const stored = storedAs(header, options, request);
  const grid = publishedGrid(header, place);
  if (grid === undefined)
    throw badFile(request, `it is outside of ${place.place.tehsil.name}; check that the file is of this tehsil.`);
  if (grid.cols * grid.rows > MOST_PIXELS)
    throw badFile(
      request,
      `it has more than ${MOST_PIXELS} pixels over the tehsil; write it with larger pixels (gdalwarp -tr).`,
    );
  return { grid, ...stored };
}

/** Tools of `rasterDraft`. */
export interface RasterTools {
  readonly pixels: PixelEngine;
  readonly files: RunFiles;
  readonly request: ImportRequest;
  readonly styleTexts: Partial<StyleTexts>;
}

/** Converts the raster to a COG clipped to the place; returns the draft of its publication. */
export async function rasterDraft(item: ImportedItem, plan: RasterPlan, tools: RasterTools): Promise<RasterLayerDraft> {
  const { pixels, files, request, styleTexts } = tools;
  const { options } = item;
  const work = { signal: request.signal, progress: (share: number) => request.progress?.(share, 1) };
  const draft = importedDraft(item);
  const name = `${fileName(draft.members.id)}.tif`;
  const { grid, type, nodata } = plan;
  const raster = await pixels.read({ grid, type, nodata, path: request.path, resampling: 'nearest' }, work);
  try {
    const cog = await pixels.writeCog(
      {
        raster,
        grid,
        clip: item.job.clip,
        nodata,
        path: files.path(name),
        ...overviewOptions(options, type),
      },
      work,
    );
    const shown =
      options.classes === undefined
        ? valuesShown(options, { cog, plan, request })
        : classesShown(options, options.classes, nodata);
    const style = (layer: string): StyleTexts => ({ ...shown.style(layer), ...styleTexts });
    return { ...draft, cog, file: await files.stat(name), gsd: gsdOf(cog.grid), ...shown, style };
  } finally {
    await pixels.release([raster]);
  }
}

/**
 * Resampling method of the overviews; for classes also palette and names. Integers are not averaged, because they may
 * be classes.
 */
function overviewOptions({ classes }: LayerOptions, type: PlaneType) {
  if (classes === undefined) return { overviews: type === 'float32' ? 'average' : 'nearest' } as const;
  const names = Object.fromEntries(classes.map(({ value, title }) => [value, title]));
  return { overviews: 'mode', palette: paletteOf(classes), names } as const;
}

type Classes = NonNullable<LayerOptions['classes']>;

const paletteOf = (classes: Classes): Readonly<Record<number, Rgba>> =>
  Object.fromEntries(classes.map(({ value, color }) => [value, [...rgb(color), 255] as const]));

type Drawn = Pick<RasterLayerDraft, 'content' | 'style' | 'colors' | 'shown'>;

function classesShown({ title }: LayerOptions, classes: Classes, nodata: number): Drawn {
  const drawn = classes.map(({ value, title: label, color }): StyleClass => ({ value, label, color, alpha: 255 }));
  return {
    content: {
      classes: nonEmpty(classes.map((each): ClassInput => ({ ...each, description: each.title }))),
      dataType: 'uint8',
      nodata,
    },
    style: (layer) => ({ qml: rasterQml(drawn), sld: rasterSld(layer, title, drawn) }),
    colors: { palette: paletteOf(classes) },
  };
}

interface Values {
  readonly cog: WrittenRaster;
  readonly plan: RasterPlan;
  readonly request: ImportRequest;
}

function valuesShown({ name, title, unit }: LayerOptions, { cog, plan, request }: Values): Drawn {
  const { statistics } = cog;
  if (statistics === undefined)
    throw badFile(
      request,
      'all of its pixels within the tehsil have no data; check the nodata value, and that the file is of this tehsil.',
    );
  const { minimum, maximum } = statistics;
  const values = minimum === maximum ? [minimum] : [minimum, (minimum + maximum) / 2, maximum];
  const stops = values.map((value, index) => ({
    value,
    label: String(Number(value.toPrecision(4))),
    color: RAMP[index] ?? RAMP[0],
    alpha: 255,
  }));
  const band = { name, dataType: plan.type, nodata: plan.nodata, statistics, ...(unit === undefined ? {} : { unit }) };
  const content: RasterContent = { bands: [band] };
  return {
    content,
    style: (layer) => ({ qml: rampQml(stops), sld: rampSld(layer, title, stops) }),
    colors: { ramp: rampStops(stops) },
    shown: { legend: rampLegend(stops), description: title },
  };
}

function nonEmpty<T>([first, ...others]: readonly T[]): NonEmpty<T> {
  if (first === undefined) throw new RangeError('the list of classes is empty');
  return [first, ...others];
}
