import { StacError } from '../errors.ts';
import type { Asset, ClassObject } from '../types.ts';
import { isCount, isPercentage } from '../validate/checks.ts';
import type { ClassInput } from './inputs.ts';

/** Builds `classification:classes`. Throws `StacError` for repeated values and invalid fields. */
export function classObjects(classes: readonly ClassInput[]): ClassObject[] {
  const seen = new Set<number>();
  return classes.map((input) => {
    if (seen.has(input.value)) throw new StacError(`classes: value ${String(input.value)} is repeated; keep one`);
    seen.add(input.value);
    return classObject(input);
  });
}

function classObject({ value, name, description, title, color, nodata, count, percentage }: ClassInput): ClassObject {
  const where = `classes[value ${String(value)}]`;
  if (!Number.isInteger(value)) throw new StacError(`${where}: the value must be a whole number`);
  if (!/^[0-9A-Za-z_-]+$/.test(name))
    throw new StacError(`${where}: name ${JSON.stringify(name)} may hold only letters, digits, - and _`);
  const hint = color?.replace(/^#/, '').toUpperCase();
  if (hint !== undefined && !/^[0-9A-F]{6}$/.test(hint))
    throw new StacError(`${where}: color ${JSON.stringify(color)} is not RRGGBB`);
  if (count !== undefined && !isCount(count))
    throw new StacError(`${where}: count ${String(count)} is not a number of pixels; give a whole number from 0`);
  if (percentage !== undefined && !isPercentage(percentage))
    throw new StacError(`${where}: percentage ${String(percentage)} is not a percentage; give a number from 0 to 100`);
  return {
    value,
    name,
    ...(title === undefined ? {} : { title }),
    description,
    ...(hint === undefined ? {} : { color_hint: hint }),
    ...(nodata === undefined ? {} : { nodata }),
    ...(count === undefined ? {} : { count }),
    ...(percentage === undefined ? {} : { percentage }),
  };
}

/** True if the asset or a band has classes. */
export function hasClasses(asset: Asset): boolean {
  return [asset, ...(asset.bands ?? [])].some((holder) => holder['classification:classes'] !== undefined);
}
