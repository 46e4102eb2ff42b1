import type { PublishedItem } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { publicItem } from '../../../items/public-item.ts';
import { assetsOf, objectsIn, previewOf, textAt, type ReadAsset } from '../../../layers/read-item.ts';
import { isObject } from '@headwater/core/values';
import { mapSurroundings } from '../../../pages/map-data.ts';
import { paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import type { ItemMap } from '../page/item-map.ts';
import type { ShownYear } from '../page/item-years.ts';

type MapDeps = Ports<'baseUrl' | 'documents' | 'mapServer' | 'publication' | 'stores'>;

/** Maximum size of a GeoJSON file on a map, bytes, because a browser must read the whole file. */
const MOST_BYTES = 20_000_000;
const MOST_COLUMNS = 100;

/** A published Item as it is sent, with the years of its layer. */
export interface MappedItem {
  readonly published: PublishedItem;
  readonly item: Readonly<Record<string, unknown>>;
  readonly assets: readonly ReadAsset[];
  readonly title: string;
  readonly language: Language;
  readonly years: readonly (ShownYear & { readonly id: string })[];
}

/**
 * Data of the interactive map of an Item. Undefined if the map cannot draw the Item, or if another origin serves the
 * file.
 */
export async function itemMap(mapped: MappedItem, deps: MapDeps): Promise<ItemMap | undefined> {
  const { published, item, assets, title, years, language } = mapped;
  const box = boxOf(item['bbox']);
  if (box === undefined) return undefined;
  const { picture: here } = pageLinks(deps.baseUrl);
  const raster = rasterOf(assets, here);
  const around = mapSurroundings(language, deps.documents.maps?.backgrounds ?? [], (lang) => `?lang=${lang}`);
  if (raster === undefined) {
    const zones = zonesOf(item, deps.baseUrl);
    const sld = assets.find(({ type }) => type.startsWith('application/vnd.ogc.sld+xml'));
    const style = sld && here(sld.href);
    const styled = zones && (style === undefined ? zones : { ...zones, style });
    return styled && { ...around, title, box, classes: [], ramp: undefined, years: [], zones: styled };
  }
  const classes = raster.asset.classes.flatMap(({ value, title, color }) =>
    value === undefined ? [] : [{ value, title, color }],
  );
  const ramp = classes.length === 0 ? rampOf(raster.asset, assets, here) : undefined;
  // The page's legend shows the classes of the preview. If the preview has its own classes, this legend does not fit
  // the raster.
  const hasOtherLegend = classes.length > 0 && (previewOf(assets)?.classes ?? []).length > 0;
  if (hasOtherLegend || (classes.length === 0 && ramp === undefined)) return undefined;
  const confidence = hrefOf(assets, 'confidence', here);
  const own = { label: years.find(({ isThis }) => isThis)?.label ?? '', raster: raster.href, confidence, isThis: true };
  const latest = (id: string, asset: string) => latestHref(published.collectionPath, { id, asset }, deps.baseUrl);
  const others = years
    .filter(({ isThis }) => !isThis)
    .map(({ label, id }) => ({
      label,
      raster: latest(id, raster.asset.key),
      confidence: confidence === undefined ? undefined : latest(id, 'confidence'),
      isThis: false,
    }));
  const zones = await zonesUnder(published, textAt(item, 'properties', 'start_datetime')?.slice(0, 4), deps);
  return { ...around, title, box, classes, ramp, years: [own, ...others], zones };
}

type Here = (address: string) => string | undefined;

function rasterOf(
  assets: readonly ReadAsset[],
  here: Here,
): { readonly asset: ReadAsset; readonly href: string } | undefined {
  const asset = assets.find(
    ({ type, roles, bytes }) => type.startsWith('image/tiff') && roles.includes('data') && bytes !== undefined,
  );
  const href = asset && here(asset.href);
  return asset === undefined || href === undefined ? undefined : { asset, href };
}

function rampOf({ unit }: ReadAsset, assets: readonly ReadAsset[], here: Here): ItemMap['ramp'] {
  const sld = assets.find(({ type }) => type.startsWith('application/vnd.ogc.sld+xml'));
  const style = sld && here(sld.href);
  return style === undefined ? undefined : { style, unit: unit ?? '' };
}

function hrefOf(assets: readonly ReadAsset[], key: string, here: Here): string | undefined {
  const asset = assets.find((each) => each.key === key && each.type.startsWith('image/tiff'));
  return asset && here(asset.href);
}

function latestHref(
  collectionPath: string,
  { id, asset }: { readonly id: string; readonly asset: string },
  baseUrl: string,
): string {
  const [state = '', district = '', block = ''] = collectionPath.split('/');
  const values: Readonly<Record<string, string>> = { state, district, block, item: id, asset };
  const path = paths.latestAsset.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  return pageLinks(baseUrl).prefix + path;
}

function zonesOf(item: Readonly<Record<string, unknown>>, baseUrl: string): ItemMap['zones'] {
  const asset = assetsOf(item).find(
    ({ type, roles, bytes }) =>
      type.startsWith('application/geo+json') && roles.includes('data') && bytes !== undefined && bytes <= MOST_BYTES,
  );
  const href = asset && pageLinks(baseUrl).picture(asset.href);
  if (href === undefined) return undefined;
  const columns = isObject(item['properties']) ? objectsIn(item['properties']['table:columns']) : [];
  const named = columns.flatMap((column) => {
    const name = textAt(column, 'name');
    return name === undefined ? [] : [{ name, title: textAt(column, 'description') ?? name }];
  });
  return { href, columns: named.slice(0, MOST_COLUMNS) };
}

/**
 * Polygons to show over a raster: the vector layer of the same name, otherwise the micro-watersheds. Columns whose
 * names end with another year are left out.
 */
async function zonesUnder(
  { id, collectionPath }: PublishedItem,
  year: string | undefined,
  deps: MapDeps,
): Promise<ItemMap['zones']> {
  const sibling = id.replace(/_raster(_\d{4})?$/, '_vector');
  const watersheds = `${collectionPath.replaceAll('/', '_')}_mws_vector`;
  for (const name of sibling === id ? [watersheds] : [sibling, watersheds]) {
    const found = await deps.stores.catalog.item(collectionPath, name);
    const zones = found && zonesOf(publicItem(found, deps), deps.baseUrl);
    if (zones === undefined) continue;
    const ofOtherYear = (column: string): boolean => {
      const [, own] = /_(\d{4})$/.exec(column) ?? [];
      return own !== undefined && own !== year;
    };
    return { ...zones, columns: zones.columns.filter(({ name }) => !ofOtherYear(name)) };
  }
  return undefined;
}

function boxOf(value: unknown): ItemMap['box'] | undefined {
  const [west = NaN, south = NaN, east = NaN, north = NaN] = Array.isArray(value) ? value.map(Number) : [];
  // Undefined if the box crosses the antimeridian or is near a pole.
  return west < east && south < north && Math.abs(south) < 85 && Math.abs(north) < 85
    ? [west, south, east, north]
    : undefined;
}
