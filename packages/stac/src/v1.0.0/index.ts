import { EXTENSIONS } from '../extensions.ts';
import { isList } from '../json.ts';
import type { Catalog, Collection, Item, Summary } from '../types.ts';
import { at } from '../validate/report.ts';
import { assetV100 } from './assets.ts';
import { epsgV100, licenseV100 } from './types.ts';
import type {
  AssetV100,
  CatalogV100,
  CollectionV100,
  Downgraded,
  ItemV100,
  Loss,
  PropertiesV100,
  ProviderV100,
} from './types.ts';

export type * from './types.ts';

const VERSION = '1.0.0';
const SCHEMAS = 'https://stac-extensions.github.io';

/** Schema URLs that a converted document declares instead of, or in addition to, those of STAC 1.1.0. */
export const EXTENSIONS_V100 = {
  projection: `${SCHEMAS}/projection/v1.1.0/schema.json`,
  raster: `${SCHEMAS}/raster/v1.1.0/schema.json`,
  eo: `${SCHEMAS}/eo/v1.1.0/schema.json`,
  itemAssets: `${SCHEMAS}/item-assets/v1.0.0/schema.json`,
} as const;

const OLDER: ReadonlyMap<string, string> = new Map([
  [EXTENSIONS.projection, EXTENSIONS_V100.projection],
  [EXTENSIONS.raster, EXTENSIONS_V100.raster],
]);

/** Converts an Item to STAC 1.0.0. `losses` lists the information that 1.0.0 cannot express. */
export function itemV100(item: Item): Downgraded<ItemV100> {
  const losses: Loss[] = [];
  const properties = propertiesV100(losses, item.properties);
  const convert = (key: string, asset: Item['assets'][string]): AssetV100 =>
    assetV100(losses, at('/assets', key), structuredClone(asset));
  const { data, ...others } = item.assets;
  const assets = {
    data: convert('data', data),
    ...Object.fromEntries(Object.entries(others).map(([key, asset]) => [key, convert(key, asset)])),
  };
  const hasBands = Object.values(assets).some((asset) => asset['eo:bands'] !== undefined);
  const extensions = item.stac_extensions.map((url) => OLDER.get(url) ?? url);
  const stac_extensions = hasBands ? [...extensions, EXTENSIONS_V100.eo] : extensions;
  const { id, type, geometry, bbox, links, collection } = structuredClone(item);
  const document: ItemV100 = {
    type,
    stac_version: VERSION,
    stac_extensions,
    id,
    geometry,
    bbox,
    properties,
    links,
    assets,
    collection,
  };
  return { document, losses };
}

/** Converts a Collection to STAC 1.0.0; `proj:code` in summaries becomes `proj:epsg`. */
export function collectionV100(collection: Collection): Downgraded<CollectionV100> {
  const losses: Loss[] = [];
  const { summaries, providers, ...rest } = structuredClone(collection);
  const license = licenseV100(losses, '/license', rest.license);
  const extensions = rest.stac_extensions.map((url) => OLDER.get(url) ?? url);
  const document: CollectionV100 = {
    ...rest,
    stac_version: VERSION,
    stac_extensions: rest.item_assets === undefined ? extensions : [...extensions, EXTENSIONS_V100.itemAssets],
    license,
    ...(providers === undefined ? {} : { providers: providers.map(providerV100) }),
    ...(summaries === undefined ? {} : { summaries: summariesV100(losses, summaries) }),
  };
  return { document, losses };
}

/** Converts a Catalog to STAC 1.0.0 without losses. */
export function catalogV100(catalog: Catalog): Downgraded<CatalogV100> {
  return { document: { ...structuredClone(catalog), stac_version: VERSION }, losses: [] };
}

function propertiesV100(losses: Loss[], input: Item['properties']): PropertiesV100 {
  const { 'proj:code': code, license, providers, ...rest } = structuredClone(input);
  return {
    ...rest,
    ...(license === undefined ? {} : { license: licenseV100(losses, '/properties/license', license) }),
    ...(providers === undefined ? {} : { providers: providers.map(providerV100) }),
    ...(code === undefined ? {} : { 'proj:epsg': epsgV100(losses, '/properties/proj:code', code) }),
  };
}

function providerV100({ roles, ...provider }: NonNullable<Item['properties']['providers']>[number]): ProviderV100 {
  return roles === undefined ? provider : { ...provider, roles: [...roles] };
}

function summariesV100(
  losses: Loss[],
  { 'proj:code': codes, ...rest }: Readonly<Record<string, Summary>>,
): Record<string, Summary> {
  if (!isList(codes)) return rest;
  const [first, ...others] = codes.map((code, index) => epsgV100(losses, at('/summaries/proj:code', index), code));
  return first === undefined ? rest : { ...rest, 'proj:epsg': [first, ...others] };
}
