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
 * Largest size of all Collections in the file's footer, bytes. Larger Collections are left out, because every reader of
 * the file reads the whole footer.
 */
const MOST_COLLECTION_BYTES = 2 ** 20;

/** The Collections of the Items, unless they are too large. */
class CollectionNotes {
  readonly #collections = new Map<string, JsonObject>();
  #bytes = 0;

  note(document: JsonObject): void {
    const { id, type, links } = document;
    if (type !== 'Collection' || typeof id !== 'string') return;
    // Links to child documents are left out, because the rows of the file contain these documents.
    const otherLinks = Array.isArray(links) ? links.filter((link: unknown) => !isBelow(link)) : [];
    const collection = { ...document, links: otherLinks };
    this.#bytes += JSON.stringify(collection).length;
    if (this.#bytes <= MOST_COLLECTION_BYTES) this.#collections.set(id, collection);
    else this.#collections.clear();
  }

  /** The Collections by id; undefined if there are none or if they are too large for the footer. */
  all(): Readonly<Record<string, JsonObject>> | undefined {
    const isWhole = this.#bytes > 0 && this.#bytes <= MOST_COLLECTION_BYTES;
    return isWhole ? Object.fromEntries(this.#collections) : undefined;
  }
}

function isBelow(link: unknown): boolean {
  const rel: unknown = typeof link === 'object' && link !== null ? Reflect.get(link, 'rel') : undefined;
  return rel === 'item' || rel === 'child';
}

/**
 * File metadata of GeoParquet 1.1 and stac-geoparquet. The metadata contain no CRS, so the default of GeoParquet
 * applies: longitude and latitude (OGC:CRS84).
 */
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

/** Limits of a row group; only the rows of the current group are in memory. */
const GROUP_ROWS = 1000;
const GROUP_BYTES = 16 * 2 ** 20;

/** Result of a stac-geoparquet export. */
export interface GeoparquetExport extends FileExport {
  /** Columns, or members of columns, that are written as JSON text, because Parquet has no type for all of their values. */
  readonly textColumns: readonly string[];
  /**
   * Time columns in which at least one value is not a UTC time. All values of such a column are written as text,
   * unchanged from the Items.
   */
  readonly textTimes: readonly string[];
  /**
   * Time columns in which at least one value has digits below a microsecond, the precision of the format. These digits
   * are cut.
   */
  readonly cutTimes: readonly string[];
  /**
   * Names of properties that are also members of the Item itself. The format has no column for such a property, so the
   * property is left out.
   */
  readonly leftOut: readonly string[];
  /** True if heights of boxes are left out because some Items have boxes without heights. */
  readonly losesHeights: boolean;
}

/**
 * Writes each Item of a tree as a row of a stac-geoparquet file (GeoParquet 1.1). The geometry is WKB, the bbox a
 * struct, times are timestamps, and each property is a column of the type that was found. All columns must be known
 * before the first row is written, so the Items are first written as lines to a temporary file in the same folder. If
 * the export fails, no file is written.
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

/** Writes a file of lines: `work` passes each line to its callback. */
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
