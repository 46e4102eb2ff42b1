import { TABLE_NAMES } from '@headwater/accuracy/report';
import type { ItemKey, PublishedItem } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import type { ShownFile } from '../page/item-files.ts';
import type { ItemPageFacts } from '../page/item-page.ts';
import { shownYears } from '../page/item-years.ts';
import type { ShownClass } from '../../../pages/chart.ts';
import type { Crumb } from '../../../pages/parts.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';
import { badMember } from '../../../wire/request-error.ts';
import type { Language } from '../../../wire/words.ts';
import { boxText, dayText, periodText, yearsText } from '../../../pages/words.ts';
import { absentItem } from '../../../items/known-places.ts';
import { titlesOnPath } from '../../../items/place-titles.ts';
import { mapServicesOf } from '../../../items/map-links.ts';
import { itemAddress, publicItem } from '../../../items/public-item.ts';
import { itemMap, type MappedItem } from './item-map.ts';
import { crumbsTo, licenseOf } from './collection-facts.ts';
import type { LayerSummary } from '../../../layers/layer-summaries.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { previewSrc, shownLayer } from '../../../items/publications.ts';
import { mapExtent } from '../../../layers/map-extent.ts';
import { assetsOf, legendOf, objectsIn, previewOf, textAt, type ReadAsset } from '../../../layers/read-item.ts';

const MAX_ITEMS = 200;
/** Maximum number of buttons for tables. The list of files has all tables. */
const MOST_TABLES = 3;
const KINDS: readonly (readonly [begins: string, kind: string])[] = [
  ['image/tiff', 'GeoTIFF'],
  ['application/geo+json', 'GeoJSON'],
  ['application/vnd.ogc.sld+xml', 'SLD'],
  ['application/xml', 'QML'],
  ['image/png', 'PNG'],
  ['application/json', 'JSON'],
  ['text/csv', 'CSV'],
  ['application/vnd.pmtiles', 'PMTiles'],
];

/** Extensions by kind, for addresses without extension. All other kinds get `json`. */
const ENDINGS: Readonly<Record<string, string>> = { GeoTIFF: 'tif', GeoJSON: 'geojson', CSV: 'csv' };

type ItemDeps = Ports<
  | 'baseUrl'
  | 'canCompute'
  | 'documents'
  | 'mapServer'
  | 'pipelines'
  | 'publication'
  | 'stores'
  | 'summaries'
  | 'version'
>;

interface PageChoice {
  readonly language: Language;
  /** Value of the only shown class; undefined if all classes are shown. */
  readonly only: number | undefined;
}

/** Data of an Item's page. Throws `not_found`, and `validation` for a class that the picture does not have. */
export async function itemFacts(
  deps: ItemDeps,
  { collectionPath, id }: ItemKey,
  { language, only }: PageChoice,
): Promise<Omit<ItemPageFacts, 'shell'>> {
  const published = await deps.stores.catalog.item(collectionPath, id);
  if (published === undefined) throw await absentItem(deps, { collectionPath, id });
  const { baseUrl, version } = deps;
  const item = publicItem(published, deps);
  const assets = assetsOf(item);
  const property = (name: string): string | undefined => textAt(item, 'properties', name);
  const [titleOf, years] = await Promise.all([titlesOnPath(deps, published.collectionPath), yearsOf(published, deps)]);
  const title = property('title') ?? published.id;
  const classes = legendOf(assets);
  const picture = pictureOf(item, assets, baseUrl);
  const single = singleClasses(assets, only, picture !== undefined);
  return {
    prefix: pageLinks(baseUrl).prefix,
    title,
    description: property('description') ?? '',
    above: crumbsTo({ path: published.collectionPath, language }, deps, titleOf),
    picture,
    classes,
    single,
    years,
    map: deps.documents.maps && (await itemMap({ published, item, assets, title, years, language }, deps)),
    files: filesOf(assets, baseUrl, sayIn(language)),
    services: mapServicesOf(item, deps),
    validations: validationsOf(assets, baseUrl),
    period: periodText({ start: property('start_datetime'), end: property('end_datetime') }, language),
    box: boxText(Array.isArray(item['bbox']) ? item['bbox'].map(Number) : undefined, language),
    published: dayText(property('datetime'), language),
    itemVersion: String(published.version),
    license: licenseOf(deps),
    attribution: property('attribution'),
    sources: sourcesOf(item, baseUrl),
    self: itemAddress(published, baseUrl),
    version,
  };
}

function pictureOf(
  item: Readonly<Record<string, unknown>>,
  assets: readonly ReadAsset[],
  baseUrl: string,
): ItemPageFacts['picture'] {
  const preview = previewOf(assets);
  const src = preview === undefined ? undefined : pageLinks(baseUrl).picture(preview.href);
  if (preview === undefined || src === undefined) return undefined;
  return { src, caption: preview.description, extent: mapExtent(item) };
}

function singleClasses(
  assets: readonly ReadAsset[],
  only: number | undefined,
  isPictured: boolean,
): ItemPageFacts['single'] {
  const preview = previewOf(assets);
  const hasOwnColours = preview?.type.startsWith('image/png') !== true || preview.classes.length > 0;
  const raster = assets.find(
    ({ type, roles, classes }) => type.startsWith('image/tiff') && roles.includes('data') && classes.length > 0,
  );
  const drawn =
    isPictured && !hasOwnColours
      ? (raster?.classes ?? []).filter(({ value, color }) => value !== undefined && color !== undefined)
      : [];
  if (only === undefined) return drawn.length === 0 ? undefined : { values: valuesOf(drawn), only };
  if (!drawn.some(({ value }) => value === only)) {
    const remedy =
      drawn.length === 0
        ? 'leave out the parameter class'
        : `use one of ${valuesOf(drawn).join(', ')}, or leave out the parameter class`;
    throw badMember('class', `The picture of this layer has no class ${only}; ${remedy}.`);
  }
  return { values: valuesOf(drawn), only };
}

function valuesOf(classes: readonly ShownClass[]): readonly number[] {
  return classes.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** Years of the layer: Items with the same classes and an equally long period. */
async function yearsOf(
  published: PublishedItem,
  deps: Ports<'baseUrl' | 'stores' | 'summaries'>,
): Promise<MappedItem['years']> {
  const { collectionPath, id } = published;
  const versions = await deps.stores.catalog.listOf(collectionPath, { limit: MAX_ITEMS, offset: 0 });
  const summaries = await deps.summaries.of(versions);
  const own = summaries.find((each) => each.id === id);
  const series = own === undefined ? undefined : seriesOf(own);
  if (series === undefined) return [];
  const layers = summaries.filter((each) => seriesOf(each) === series);
  return shownYears(layers, id)
    .toReversed()
    .map((each) => ({
      ...shownLayer(each, deps),
      id: each.id,
      label: yearsText(each.start, each.end),
      src: previewSrc(each, deps),
      classes: each.classes,
      isThis: each.id === id,
    }));
}

/** Key that all years of one layer share. Undefined for layers without classes or period, and for vector layers. */
function seriesOf({ classes, start, end, isVector }: LayerSummary): string | undefined {
  const days = Math.round((Date.parse(end ?? '') - Date.parse(start ?? '')) / 86_400_000);
  if (isVector || classes.length === 0 || Number.isNaN(days)) return undefined;
  // Rounded to months, because leap years are longer than other years.
  return JSON.stringify([Math.round(days / 30), ...classes.map(({ title, color }) => [title, color])]);
}

function filesOf(assets: readonly ReadAsset[], baseUrl: string, say: Say): readonly ShownFile[] {
  const { here } = pageLinks(baseUrl);
  // Only the first style has a button, because all buttons of styles would have the same name.
  const style = assets.find((each) => kindOf(each) === 'QML');
  const tables = assets.filter((each) => isTableAsset(each) && kindOf(each) === 'CSV').slice(0, MOST_TABLES);
  const hasFile = (kind: string): boolean => assets.some((each) => kindOf(each) === kind && isDataFile(each));
  return assets.flatMap((asset) => {
    const href = here(asset.href);
    if (href === undefined) return [];
    const kind = kindOf(asset);
    const isData = asset.roles.includes('data');
    const isTable = isTableAsset(asset);
    // True if the file has a button. A stored file is preferred to a generated response. Of a table, only the CSV has a
    // button.
    const isMain = isTable ? tables.includes(asset) : isData ? isDataFile(asset) || !hasFile(kind) : asset === style;
    const layer = !isData ? undefined : kind === 'GeoTIFF' ? 'raster' : kind === 'GeoJSON' ? 'vector' : undefined;
    const { title, latest, bytes } = asset;
    return [
      {
        title,
        label: isTable ? title : kind,
        // At this address, browsers get a page and programs get JSON.
        kind: isTable && kind === 'JSON' ? say('pageAndJson') : kind,
        href,
        address: asset.href,
        latest,
        name: nameOf(asset),
        bytes,
        layer,
        isMain,
      },
    ];
  });
}

const TABLE_KEY = 'table_';
const isTableAsset = ({ key }: ReadAsset): boolean => key.startsWith(TABLE_KEY);

function validationsOf(assets: readonly ReadAsset[], baseUrl: string): readonly Crumb[] {
  const { here } = pageLinks(baseUrl);
  const tables = assets.filter((each) => each.key.startsWith(TABLE_KEY + TABLE_NAMES) && kindOf(each) === 'JSON');
  return tables.toReversed().flatMap(({ key, href }) => {
    const address = here(href);
    return address === undefined ? [] : [{ title: key.slice(TABLE_KEY.length), href: address }];
  });
}

function isDataFile({ roles, bytes }: ReadAsset): boolean {
  return roles.includes('data') && bytes !== undefined;
}

function kindOf({ type }: ReadAsset): string {
  return KINDS.find(([begins]) => type.startsWith(begins))?.[1] ?? (type === '' ? 'file' : type);
}

/** File name from the last part of the address. All characters are safe in a shell. */
function nameOf(asset: ReadAsset): string {
  const { pathname } = new URL(asset.href, 'http://localhost');
  const last = (pathname.split('/').findLast((part) => part !== '') ?? '').replace(/[^\w.-]/g, '_');
  if (last.includes('.')) return last;
  // The asset key of a table's CSV is the key of the table, followed by `_csv`, which the file name omits.
  const base = asset.key.replace(/_csv$/, '').replace(/[^\w.-]/g, '_');
  return `${base}.${ENDINGS[kindOf(asset)] ?? 'json'}`;
}

function sourcesOf(item: Readonly<Record<string, unknown>>, baseUrl: string): readonly Crumb[] {
  const { here } = pageLinks(baseUrl);
  const list = objectsIn(item['links']).filter(({ rel }) => rel === 'derived_from');
  // At most ten sources. The link to a list of all sources comes first.
  return list.slice(0, 10).flatMap((link) => {
    const href = here(textAt(link, 'href') ?? '');
    return href === undefined ? [] : [{ title: textAt(link, 'title') ?? href, href }];
  });
}
