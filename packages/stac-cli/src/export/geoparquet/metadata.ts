import type { JsonObject } from '@headwater/stac';
import type { KeyValue } from 'hyparquet-writer';

/** Collections go into the end of the file, which every reader reads whole. */
const MOST_COLLECTION_BYTES = 2 ** 20;

/** The Collections that Items belong to, as far as they fit. */
export class CollectionNotes {
  readonly #collections = new Map<string, JsonObject>();
  #bytes = 0;

  note(document: JsonObject): void {
    const { id, type, links } = document;
    if (type !== 'Collection' || typeof id !== 'string') return;
    // Links to thousands of Items say nothing that the rows do not.
    const kept = Array.isArray(links) ? links.filter((link: unknown) => !isBelow(link)) : [];
    const collection = { ...document, links: kept };
    this.#bytes += JSON.stringify(collection).length;
    if (this.#bytes <= MOST_COLLECTION_BYTES) this.#collections.set(id, collection);
    else this.#collections.clear();
  }

  /** None where they are too many. */
  all(): Readonly<Record<string, JsonObject>> | undefined {
    const isWhole = this.#bytes > 0 && this.#bytes <= MOST_COLLECTION_BYTES;
    return isWhole ? Object.fromEntries(this.#collections) : undefined;
  }
}

function isBelow(link: unknown): boolean {
  const rel: unknown = typeof link === 'object' && link !== null ? Reflect.get(link, 'rel') : undefined;
  return rel === 'item' || rel === 'child';
}

/** What makes a Parquet file a GeoParquet 1.1 file, and one of STAC Items. Longitude and latitude (OGC:CRS84) are the default. */
export function keyValues(geometryTypes: ReadonlySet<string>, collections: CollectionNotes): KeyValue[] {
  const side = (name: string): readonly string[] => ['bbox', name];
  const covering = { bbox: { xmin: side('xmin'), ymin: side('ymin'), xmax: side('xmax'), ymax: side('ymax') } };
  const geometry = { encoding: 'WKB', geometry_types: [...geometryTypes].sort(), edges: 'planar', covering };
  const geo = { version: '1.1.0', primary_column: 'geometry', columns: { geometry } };
  const found = collections.all();
  const stac = { version: '1.0.0', ...(found === undefined ? {} : { collections: found }) };
  return [
    { key: 'geo', value: JSON.stringify(geo) },
    { key: 'stac-geoparquet', value: JSON.stringify(stac) },
  ];
}
