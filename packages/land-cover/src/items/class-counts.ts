import type { WrittenRaster } from '@headwater/core';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { displayColor, LULC_CLASSES } from '../classes/classes.ts';

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
    return c.code === 0
      ? { ...info, nodata: true }
      : { ...info, percentage: valid === 0 ? 0 : Math.round((1e6 * count) / valid) / 1e4 };
  });
  if (background === undefined) throw new TypeError('the class table is empty');
  return [background, ...classes];
}
