import type { WrittenRaster } from '@headwater/core';
import { percentOf } from '@headwater/core/values';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { displayColor, LULC_CLASSES } from '../classes/classes.ts';
import { QUALITY_CLASSES, type QualityCounts } from '../run/rasters.ts';

/** Classes with counts and shares of the pixels that have a class; 5 never occurs. */
export function classesOf({ histogram, inside }: WrittenRaster): NonEmpty<ClassInput> {
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

/** Classes of the quality raster, with counts and shares of the pixels in the area. */
export function qualityClassesOf(counts: QualityCounts): NonEmpty<ClassInput> {
  const total = counts.computed + counts.insufficient + counts.filled + counts.corrected;
  const withCount = ({ value, name, title, rgba }: (typeof QUALITY_CLASSES)[0]): ClassInput => {
    const hex = rgba.slice(0, 3).map((part) => part.toString(16).padStart(2, '0'));
    const count = counts[name];
    return { value, name, title, description: title, color: hex.join(''), count, percentage: percentOf(count, total) };
  };
  const [first, ...others] = QUALITY_CLASSES;
  return [withCount(first), ...others.map(withCount)];
}
