import type { JsonObject } from '@headwater/stac';
import { type ColumnSource, fileWriter, type KeyValue, ParquetWriter } from 'hyparquet-writer';
import { open, rm } from 'node:fs/promises';
import { linesOf } from '../../reading/lines.ts';
import { parseJson, textOf } from '../../reading/parse-document.ts';
import { eachItem } from '../../tree/each-item.ts';
import type { DocumentTree } from '../../tree/walk.ts';
import { type FileExport, type FileOptions, makeFile } from '../../writing/atomic.ts';
import { ItemTable, schemaOf, type TableColumn } from './item-table.ts';

/**
 * Limit of the total size of the Collections in the footer, bytes. Above it, all Collections are omitted, because every
 * reader of the file reads the whole footer.
 */
const MOST_COLLECTION_BYTES = 2 ** 20;

class CollectionNotes {
  readonly #collections = new Map<string, JsonObject>();
  #bytes = 0;

  note(document: JsonObject): void {
    const { id, type, links } = document;
    if (type !== 'Collection' || typeof id !== 'string') return;
    const otherLinks = Array.isArray(links) ? links.filter((link: unknown) => !isBelow(link)) : [];
    const collection = { ...document, links: otherLinks };
    this.#bytes += Buffer.byteLength(JSON.stringify(collection));
    if (this.#bytes <= MOST_COLLECTION_BYTES) this.#collections.set(id, collection);
    else this.#collections.clear();
  }

  all(): Readonly<Record<string, JsonObject>> | undefined {
    const isWhole = this.#bytes > 0 && this.#bytes <= MOST_COLLECTION_BYTES;
    return isWhole ? Object.fromEntries(this.#collections) : undefined;
  }
}

function isBelow(link: unknown): boolean {
  const rel: unknown = typeof link === 'object' && link !== null ? Reflect.get(link, 'rel') : undefined;
  return rel === 'item' || rel === 'child';
}

/** Metadata of the file. They contain no CRS, so GeoParquet's default applies: longitude and latitude (OGC:CRS84). */
function keyValues(geometryTypes: ReadonlySet<string>, collections: CollectionNotes): KeyValue[] {
  const side = (name: string): readonly string[] => ['bbox', name];
  const covering = { bbox: { xmin: side('xmin'), ymin: side('ymin'), xmax: side('xmax'), ymax: side('ymax') } };
  const geometry = { encoding: 'WKB', geometry_types: [...geometryTypes].sort(), edges: 'planar', covering };
  const geo = { version: '1.1.0', primary_column: 'geometry', columns: { geometry } };
  const all = collections.all();
  const stac = { version: '1.0.0', ...(all === undefined ? {} : { collections: all }) };
  return [
    { key: 'geo', value: JSON.stringify(geo) },
    { key: 'stac-geoparquet', value: JSON.stringify(stac) },
  ];
}

/** Maximum number of rows of a group. Only the rows of one group are in memory. */
const GROUP_ROWS = 1000;
const GROUP_BYTES = 16 * 2 ** 20;

/** Result of a stac-geoparquet export. */
export interface GeoparquetExport extends FileExport {
  /** Columns (or members of columns) that are JSON text, because Parquet has no type for all values. */
  readonly textColumns: readonly string[];
  /** Time columns that are text, because some values are not UTC times. */
  readonly textTimes: readonly string[];
  /** Time columns with values that were cut to microseconds. */
  readonly cutTimes: readonly string[];
  /** Properties that are omitted, because the Item has a member of this name. */
  readonly leftOut: readonly string[];
  /** True if only some boxes have heights, so the heights of all boxes are omitted. */
  readonly losesHeights: boolean;
}

/** Writes each Item as a row of a stac-geoparquet file (GeoParquet 1.1). After a failure, writes no file. */
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
          table.addItem(item);
          await take(text);
        }),
      );
      await writeRows({ partial, lines, table, collections });
      const names = { textColumns: table.textColumns(), textTimes: table.textTimes(), cutTimes: table.cutTimes() };
      return { items, ...names, leftOut: [...table.leftOut], losesHeights: table.losesHeights() };
    } finally {
      await rm(lines, { force: true });
    }
  });
}

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
