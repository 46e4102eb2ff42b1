import { bboxOf } from '../scenes/scene-from-item.ts';
import { asObject, asText, type JsonObject, own } from '../scenes/json.ts';

/** `catalog.json` and `collection.json` for a folder of Items. */
export interface CatalogDocuments {
  readonly catalog: JsonObject;
  readonly collection: JsonObject;
  /** Number of linked Items. */
  readonly count: number;
}

const JSON_TYPE = 'application/json';
const TITLE = 'Sentinel-2 L2A from own downloads';

/**
 * Creates documents with links to `ID/ID.json`. A processing of an acquisition is not linked if a newer processing has
 * all its bands.
 */
export function catalogDocuments(name: string, items: readonly JsonObject[]): CatalogDocuments {
  const named = newestItems(items).toSorted((a, b) => orderOf(a).localeCompare(orderOf(b), 'en'));
  const boxes = named.map(bboxOf).filter((box) => box !== undefined);
  const times = named.map(timeOf).toSorted();
  const link = (rel: string, href: string, type = JSON_TYPE): JsonObject => ({ rel, href, type });
  const bbox = [0, 1, 2, 3].map((side) => Math[side < 2 ? 'min' : 'max'](...boxes.map((box) => box[side] ?? 0)));
  return {
    count: named.length,
    catalog: {
      type: 'Catalog',
      stac_version: '1.1.0',
      id: `${name}-catalog`,
      title: TITLE,
      description: `${TITLE}; made by headwater make-catalog.`,
      links: [link('root', './catalog.json'), link('child', './collection.json')],
    },
    collection: {
      type: 'Collection',
      stac_version: '1.1.0',
      id: name,
      title: TITLE,
      description: `${TITLE}; made by headwater make-catalog. Contains modified Copernicus Sentinel data.`,
      license: 'other',
      providers: [{ name: 'ESA', roles: ['producer', 'licensor'], url: 'https://sentinels.copernicus.eu' }],
      extent: {
        spatial: { bbox: [boxes.length === 0 ? [-180, -90, 180, 90] : bbox] },
        temporal: { interval: [[times[0] ?? null, times.at(-1) ?? null]] },
      },
      links: [
        link('root', './catalog.json'),
        link('parent', './catalog.json'),
        link(
          'license',
          'https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice',
          'application/pdf',
        ),
        ...named.map((item) => {
          const id = asText(own(item, 'id')) ?? '';
          return link('item', `./${id}/${id}.json`, 'application/geo+json');
        }),
      ],
    },
  };
}

const propertyOf = (item: JsonObject, name: string): string | undefined =>
  asText(own(asObject(own(item, 'properties')) ?? {}, name));
const timeOf = (item: JsonObject): string => propertyOf(item, 'datetime') ?? '';
const orderOf = (item: JsonObject): string => `${timeOf(item)} ${asText(own(item, 'id')) ?? ''}`;
const baselineOf = (item: JsonObject): string => propertyOf(item, 's2:processing_baseline') ?? '';

/** Items to link. An Item is left out if a newer baseline of its tile and time has all its bands. */
function newestItems(items: readonly JsonObject[]): readonly JsonObject[] {
  const acquisition = (item: JsonObject): string => `${propertyOf(item, 's2:mgrs_tile') ?? ''} ${timeOf(item)}`;
  const bands = (item: JsonObject): readonly string[] => Object.keys(asObject(own(item, 'assets')) ?? {});
  const groups = new Map<string, JsonObject[]>();
  for (const item of items) groups.set(acquisition(item), [...(groups.get(acquisition(item)) ?? []), item]);
  const isReplaced = (item: JsonObject): boolean =>
    baselineOf(item) !== '' &&
    propertyOf(item, 's2:mgrs_tile') !== undefined &&
    (groups.get(acquisition(item)) ?? []).some(
      (other) => baselineOf(other) > baselineOf(item) && bands(item).every((band) => bands(other).includes(band)),
    );
  return items.filter((item) => !isReplaced(item));
}
