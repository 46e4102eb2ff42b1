import { invalidField } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import type { Legend } from '../legend/legend.ts';
import { parseLegend } from '../legend/parse-legend.ts';

/**
 * Returns the legend of an Item (`classification:classes`). A label may be a class's value, name or title. Throws
 * `validation` without classes.
 */
export function itemLegend(item: unknown): Legend {
  const listed = dataAssets(item)
    .map(classesOf)
    .find((classes) => classes.length > 0);
  if (listed === undefined) throw invalidField('legend', 'the Item of the layer lists no classes; send a legend');
  const isNodata = (each: Readonly<Record<string, unknown>>): boolean => each['nodata'] === true;
  const classes = listed.filter((each) => !isNodata(each)).map(classOf);
  return parseLegend({ classes, nodata: { map: listed.filter(isNodata).map(({ value }) => value), reference: [] } });
}

/** Returns the assets of an Item with the role `data`, including tables. */
export function dataAssets(item: unknown): readonly Listed[] {
  const assets = isObject(item) && isObject(item['assets']) ? Object.values(item['assets']) : [];
  return assets.filter(isObject).filter(({ roles }) => Array.isArray(roles) && roles.includes('data'));
}

type Listed = Readonly<Record<string, unknown>>;

function classesOf(asset: Listed): readonly Listed[] {
  const bands = Array.isArray(asset['bands']) ? asset['bands'] : asset['raster:bands'];
  const holders: readonly unknown[] = [asset, ...(Array.isArray(bands) ? bands : [])];
  const lists = holders.filter(isObject).map((holder) => holder['classification:classes']);
  return (lists.find(Array.isArray) ?? []).filter(isObject);
}

function classOf({ value, name, title, color_hint: hint }: Listed): unknown {
  const named = typeof name === 'string' ? name : String(value);
  const titled = typeof title === 'string' ? title : named;
  const keys = new Set([named, titled, String(value)].map((text) => text.trim().toLowerCase()));
  const color = typeof hint === 'string' && /^[0-9a-f]{6}$/i.test(hint) ? { color: `#${hint}` } : {};
  return { name: named, title: titled, ...color, map: [value], reference: [...keys] };
}
