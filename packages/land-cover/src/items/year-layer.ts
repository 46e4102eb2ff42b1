import { fileName, type NewLayer, type WrittenRaster } from '@headwater/core';
import { formerItem } from '@headwater/core/places';
import { percentOf } from '@headwater/core/values';
import {
  fileAsset,
  type RunOutput,
  publishRasterLayer,
  rasterQml,
  rasterSld,
  type StyleTexts,
  writeStyles,
} from '@headwater/layer-kit';
import { type ClassInput, type ExtraAssetInput, MEDIA, type NonEmpty } from '@headwater/stac';
import { displayColor, LULC_CLASSES, lulcPalette } from '../classes/classes.ts';
import { levelStyle, LULC_LEVELS, type LulcLevel } from '../classes/levels.ts';
import { levelWorkspace, RASTER_WORKSPACE, rasterItemId, rasterLayer, yearLayerName } from '../run/names.ts';
import { GSD, QUALITY_CLASSES, type QualityCounts, type YearRaster } from '../run/rasters.ts';
import { levelAssets } from './item-assets.ts';
import { type PublishTools, sharedMembers } from './shared-members.ts';

/** Classes with their numbers of pixels. Class 5 is left out, because no result contains class 5. */
function classesOf({ histogram, inside }: WrittenRaster): NonEmpty<ClassInput> {
  const valid = histogram.slice(1).reduce((total, count) => total + count, 0);
  const [background, ...classes] = LULC_CLASSES.filter((c) => c.code !== 5).map((c): ClassInput => {
    const count = c.code === 0 ? Math.max(inside - valid, 0) : (histogram[c.code] ?? 0);
    const info = {
      value: c.code,
      name: c.name,
      title: c.title,
      description: c.description,
      color: displayColor(c),
      count,
    };
    return c.code === 0 ? { ...info, nodata: true } : { ...info, percentage: percentOf(count, valid) };
  });
  if (background === undefined) throw new TypeError('the class table is empty');
  return [background, ...classes];
}

function qualityClassesOf(counts: QualityCounts): NonEmpty<ClassInput> {
  const total = counts.computed + counts.insufficient + counts.filled + counts.corrected;
  const withCount = ({ value, name, title, rgba }: (typeof QUALITY_CLASSES)[0]): ClassInput => {
    const hex = rgba.slice(0, 3).map((part) => part.toString(16).padStart(2, '0'));
    const count = counts[name];
    return { value, name, title, description: title, color: hex.join(''), count, percentage: percentOf(count, total) };
  };
  const [first, ...others] = QUALITY_CLASSES;
  return [withCount(first), ...others.map(withCount)];
}

/** Publishes one year's raster: one Item, with the levels as styles of one file. */
export async function publishYear(year: YearRaster, tools: PublishTools): Promise<RunOutput> {
  const { job, ports, files } = tools;
  const { cog, cogFile: file, result } = year;
  const idOf: Parameters<typeof formerItem>[1] = (slugs) => rasterItemId(slugs, result.year);
  const textsOf = (level: LulcLevel, layerName: string): StyleTexts => {
    const classes = levelStyle(level);
    const title = `Land use and land cover ${result.year}-${result.year + 1}`;
    return { qml: rasterQml(classes), sld: rasterSld(layerName, title, classes) };
  };
  const stylesOf = (level: 1 | 2) => {
    const { layerName } = rasterLayer(job.slugs, result.year, level);
    return writeStyles(`${fileName(idOf(job.slugs))}_level_${level}`, textsOf(level, layerName), files);
  };
  const levels = { 1: await stylesOf(1), 2: await stylesOf(2) };
  const published = await publishRasterLayer(
    {
      members: sharedMembers(tools, { from: result.year, to: result.year, years: [year], kind: 'raster' }),
      workspace: RASTER_WORKSPACE,
      dataset: RASTER_WORKSPACE,
      layerName: yearLayerName(result.year),
      cog,
      file,
      gsd: GSD,
      content: { classes: classesOf(cog), dataType: 'uint8', nodata: 0 },
      style: (layerName) => textsOf(3, layerName),
      colors: { palette: lulcPalette() },
      formerly: formerItem(job.slugs, idOf),
      others: { ...levelAssets(ports, levels), ...pixelAssets(year, tools) },
    },
    tools,
  );
  const layers = published.layers.flatMap((layer) =>
    LULC_LEVELS.map((level): NewLayer => {
      if (level === 3) return layer;
      const workspace = levelWorkspace(level);
      const names = rasterLayer(job.slugs, result.year, level);
      return { ...layer, ...names, workspace, datasetName: workspace, styleKey: levels[level].qml.key };
    }),
  );
  return { ...published, layers };
}

function pixelAssets(
  { qualityFile, confidenceFile, counts }: YearRaster,
  { ports }: Pick<PublishTools, 'ports'>,
): Readonly<Record<'quality' | 'confidence', ExtraAssetInput>> {
  const kind = { type: MEDIA.cog, roles: ['metadata'] } as const;
  const quality = 'Quality of each pixel: 1 computed, 2 too few observations, 3 filled, 4 corrected';
  const confidence =
    'Confidence of each pixel in percent: the expected share of correct pixels with the same evidence; 0 = no class';
  return {
    quality: {
      ...fileAsset(ports, qualityFile, quality),
      ...kind,
      content: { classes: qualityClassesOf(counts), dataType: 'uint8', nodata: 0 },
    },
    confidence: {
      ...fileAsset(ports, confidenceFile, confidence),
      ...kind,
      content: { bands: [{ name: 'confidence', dataType: 'uint8', nodata: 0, unit: '%' }] },
    },
  };
}
