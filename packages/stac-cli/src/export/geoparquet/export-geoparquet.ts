import type { JsonObject } from '@headwater/stac';
import { type ColumnSource, fileWriter, type KeyValue, ParquetWriter } from 'hyparquet-writer';
import { open, rm } from 'node:fs/promises';
import { linesOf } from '../../reading/lines.ts';
import { parseJson, textOf } from '../../reading/parse-document.ts';
import { eachItem } from '../../tree/each-item.ts';
import type { DocumentTree } from '../../tree/walk.ts';
import { type FileExport, type FileOptions, makeFile } from '../../writing/atomic.ts';
import { ItemTable, schemaOf, type TableColumn } from './item-table.ts';

/** Collections go into the end of the file, which every reader reads whole. */
const MOST_COLLECTION_BYTES = 2 ** 20;

/** The Collections that Items belong to, as far as they fit. */
class CollectionNotes {
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
function keyValues(geometryTypes: ReadonlySet<string>, collections: CollectionNotes): KeyValue[] {
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

/** A row group ends at whichever comes first: what is not yet written is all that is held. */
const GROUP_ROWS = 1000;
const GROUP_BYTES = 16 * 2 ** 20;

/** What an export as stac-geoparquet wrote. */
export interface GeoparquetExport extends FileExport {
  /** Columns, or members in them, whose values have no one type: they are JSON as text. */
  readonly textColumns: readonly string[];
  /** Times of which one is none in UTC: all of the column are text, as they stand in the Items. */
  readonly textTimes: readonly string[];
  /** Times of which one is finer than microseconds, the finest that the format tells: what is finer is cut. */
  readonly cutTimes: readonly string[];
  /** Properties with the name of a member of the Item itself, which the format has no place for. */
  readonly leftOut: readonly string[];
  /** True where heights of boxes are left out, for some Items have none there. */
  readonly losesHeights: boolean;
}

/**
 * Writes every Item of a tree as a row of a stac-geoparquet file (GeoParquet 1.1: geometry as WKB, bbox as a struct, times as
 * timestamps, properties as columns of the types found). A file's columns must be known before its first row: Items are first written
 * to a file of lines beside it. The file appears whole or not at all.
 */
export async function exportGeoparquet(
  tree: DocumentTree,
  file: string,
  options: FileOptions = {},
): Promise<GeoparquetExport> {
  const { replace = false, ...limits } = options;
  return makeFile(file, { replace }, async (partial) => {
    const lines = `${partial}.lines`;
    const [table, collections] = [new ItemTable(), new CollectionNotes()];
    try {
      const items = await writeLines(lines, (take) =>
        eachItem(tree, { ...limits, onNode: (node) => collections.note(node) }, async (item, text) => {
          table.learn(item);
          await take(text);
        }),
      );
      await writeRows({ partial, lines, table, collections });
      const told = { textColumns: table.textColumns(), textTimes: table.textTimes(), cutTimes: table.cutTimes() };
      return { items, ...told, leftOut: [...table.leftOut], losesHeights: table.losesHeights() };
    } finally {
      await rm(lines, { force: true });
    }
  });
}

/** Writes what `work` hands over as lines. */
async function writeLines<T>(path: string, work: (take: (text: string) => Promise<void>) => Promise<T>): Promise<T> {
  const handle = await open(path, 'wx');
  try {
    return await work(async (text) => handle.appendFile(`${text}\n`));
  } finally {
    await handle.close();
  }
}

interface Writing {
  readonly partial: string;
  readonly lines: string;
  readonly table: ItemTable;
  readonly collections: CollectionNotes;
}

async function writeRows({ partial, lines, table, collections }: Writing): Promise<void> {
  const columns = table.columns();
  const kvMetadata = keyValues(table.geometryTypes, collections);
  const writer = new ParquetWriter({
    writer: fileWriter(partial),
    schema: schemaOf(columns),
    kvMetadata,
    createdBy: 'headwater',
  });
  let rows: (readonly unknown[])[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await writer.write({ columnData: transposed(rows, columns), rowGroupSize: rows.length });
    [rows, bytes] = [[], 0];
  };
  for await (const line of linesOf(lines, Number.POSITIVE_INFINITY)) {
    rows.push(table.row(parseJson(textOf(line.bytes)) as JsonObject, columns));
    bytes += line.bytes.length;
    if (rows.length >= GROUP_ROWS || bytes >= GROUP_BYTES) await flush();
  }
  await flush();
  await writer.finish();
}

function transposed(rows: readonly (readonly unknown[])[], columns: readonly TableColumn[]): ColumnSource[] {
  return columns.map(({ name }, index) => ({ name, data: rows.map((row) => row[index]) }));
}
