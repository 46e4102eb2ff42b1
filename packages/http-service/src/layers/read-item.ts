import { isObject } from '@headwater/core/values';
import type { ShownClass } from '../pages/chart.ts';

/** Asset of an Item, with the members that pages need. */
export interface ReadAsset {
  readonly key: string;
  readonly href: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly type: string;
  readonly roles: readonly string[];
  readonly bytes: number | undefined;
  /** Address of the newest version, or the asset's own address. */
  readonly latest: string;
  readonly classes: readonly ShownClass[];
  /** Unit of the asset's first band. */
  readonly unit: string | undefined;
}

/** Non-empty text at a path in a document; undefined for other values. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  let found: unknown = value;
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Members of a list that are objects. */
export function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Assets of an Item, in their order. */
export function assetsOf(item: Readonly<Record<string, unknown>>): readonly ReadAsset[] {
  const assets = isObject(item['assets']) ? item['assets'] : {};
  return Object.entries(assets).flatMap(([key, asset]) => (isObject(asset) ? assetOf(key, asset) : []));
}

function assetOf(key: string, asset: Readonly<Record<string, unknown>>): readonly ReadAsset[] {
  const href = textAt(asset, 'href');
  if (href === undefined) return [];
  const size = asset['file:size'];
  return [
    {
      key,
      href,
      title: textAt(asset, 'title') ?? key,
      description: textAt(asset, 'description'),
      type: textAt(asset, 'type') ?? '',
      roles: Array.isArray(asset['roles']) ? asset['roles'].map(String) : [],
      bytes: typeof size === 'number' ? size : undefined,
      latest: textAt(asset, 'alternate', 'latest', 'href') ?? href,
      classes: classesOf(asset['classification:classes']),
      unit: textAt(objectsIn(asset['bands'])[0], 'unit'),
    },
  ];
}

/** Preview of an Item: its thumbnail. */
export function previewOf(assets: readonly ReadAsset[]): ReadAsset | undefined {
  return assets.find(({ roles, type }) => roles.includes('thumbnail') && type.startsWith('image/'));
}

/** Classes for the legend of a layer's picture: the classes of the preview if it has any, otherwise of the data. */
export function legendOf(assets: readonly ReadAsset[]): readonly ShownClass[] {
  const data = assets.find(({ roles, classes }) => roles.includes('data') && classes.length > 0);
  const own = previewOf(assets)?.classes ?? [];
  return own.length > 0 ? own : (data?.classes ?? []);
}

function classesOf(value: unknown): readonly ShownClass[] {
  return objectsIn(value)
    .filter((each) => each['nodata'] !== true)
    .map((each) => {
      const color = textAt(each, 'color_hint');
      const { value, percentage: share } = each;
      return {
        value: typeof value === 'number' ? value : undefined,
        title: textAt(each, 'title') ?? textAt(each, 'name') ?? String(each['value']),
        description: textAt(each, 'description') ?? '',
        color: color !== undefined && /^[0-9a-f]{6}$/i.test(color) ? `#${color}` : undefined,
        share: typeof share === 'number' ? share : undefined,
      };
    });
}
