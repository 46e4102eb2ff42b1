import { readFile } from 'node:fs/promises';
import { isObject } from '@headwater/core/values';
import type { StacDocument } from './judges.fixture.ts';

/** Returns the faults of a layer that a user would notice. */
export async function layerFaults(item: StacDocument, fileOf: (href: string) => string): Promise<readonly string[]> {
  const { id, assets = {}, properties = {} } = item;
  const classes = Object.values(assets).flatMap((asset) => Reflect.get(asset, 'classification:classes') ?? []);
  const colors = classes.filter((each) => isObject(each) && typeof each['color_hint'] === 'string');
  const faults = [
    ['has no picture', assets['thumbnail'] !== undefined],
    ['has no legend with colours', colors.length > 0],
    ['has no style', assets['style'] !== undefined && assets['sld'] !== undefined],
    ['does not name its years in its title', namesYears(properties)],
    ['has a bbox that does not contain its features', await holdsFeatures(item, fileOf)],
  ] as const;
  return faults.flatMap(([fault, isOk]) => (isOk ? [] : [`${id} ${fault}`]));
}

/** True if the title names the years of the period: `2021-2024` begins in July 2021 and ends in June 2024. */
function namesYears({
  title,
  start_datetime: start,
  end_datetime: end,
}: NonNullable<StacDocument['properties']>): boolean {
  if (start === end) return true;
  const [from, to] = [start, end].map((each) => String(each).slice(0, 4));
  return String(title).includes(`: ${from}-${to}`);
}

/** Largest rounding error of an Item's coordinates (decision 132), degrees. */
const ROUNDED = 0.5e-7;

async function holdsFeatures(item: StacDocument, fileOf: (href: string) => string): Promise<boolean> {
  const href = item.assets?.['geojson']?.href;
  if (href === undefined) return true;
  const [west = 0, south = 0, east = 0, north = 0] = item.bbox ?? [];
  const { features }: { readonly features: readonly { readonly geometry: { readonly coordinates: unknown } }[] } =
    JSON.parse(await readFile(fileOf(href), 'utf8'));
  const corners = features.flatMap(({ geometry }) => cornersOf(geometry.coordinates));
  const isWithin = (value: number, low: number, high: number): boolean =>
    value >= low - ROUNDED && value <= high + ROUNDED;
  return corners.every(([x = NaN, y = NaN]) => isWithin(x, west, east) && isWithin(y, south, north));
}

function cornersOf(coordinates: unknown): readonly (readonly number[])[] {
  if (!Array.isArray(coordinates)) return [];
  return typeof coordinates[0] === 'number' ? [coordinates.map(Number)] : coordinates.flatMap(cornersOf);
}
