import { open } from 'node:fs/promises';
import { eachItem } from '../tree/each-item.ts';
import type { Rebasing } from '../tree/rebase.ts';
import { notingUnread } from '../tree/unread-items.ts';
import type { DocumentTree, WalkLimits } from '../tree/walk.ts';
import type { Replacing } from '../writing/atomic.ts';
import { type FileExport, type FileOptions, makeFile } from '../writing/atomic.ts';
import { refuseOwnPlace } from '../writing/own-place.ts';
import { exportStatic } from './export-static.ts';
import { exportGeoparquet, type GeoparquetExport } from './geoparquet/export-geoparquet.ts';

/** Writes every Item of a tree as a line of JSON, in the order of the tree, with absolute addresses. The file appears whole or not at all. */
export async function exportNdjson(tree: DocumentTree, file: string, options: FileOptions = {}): Promise<FileExport> {
  const { replace = false, ...limits } = options;
  return makeFile(file, { replace }, async (partial) => {
    const handle = await open(partial, 'wx');
    try {
      return { items: await eachItem(tree, limits, async (_, text) => handle.appendFile(`${text}\n`)) };
    } finally {
      await handle.close();
    }
  });
}

/** What a tree can be exported as. */
export const FORMATS = ['static', 'ndjson', 'geoparquet'] as const;
export type ExportFormat = (typeof FORMATS)[number];

/** True for the name of a format. */
export function isFormat(name: string): name is ExportFormat {
  return FORMATS.some((each) => each === name);
}

/** What is exported where. */
export interface ExportOptions extends WalkLimits, Partial<Replacing> {
  readonly format: ExportFormat;
  /** The folder of static files, else the file. */
  readonly out: string;
  /** False: static files without the level `tehsil_wise`. */
  readonly level?: boolean;
}

/** Exports a tree, whole or not at all; returns lines that say what was written. Rejects with `TargetError` where the tree lies there, or the program runs there. */
export async function exportTree(tree: DocumentTree, options: ExportOptions): Promise<readonly string[]> {
  await refuseOwnPlace(tree.root, options.out);
  const noted = notingUnread(tree);
  const local = new Set<string>();
  const written = await exportAs(noted.tree, { ...options, onLocal: (href) => local.add(href) });
  return [...written, ...toldLocal(local.size, options.format), ...noted.told()];
}

/** What became of the files that the documents name: none of them is copied. */
function toldLocal(files: number, format: ExportFormat): readonly string[] {
  if (files === 0) return [];
  const count = `${String(files)} file${files === 1 ? '' : 's'} that the documents name`;
  return [
    format === 'static'
      ? `not in it: ${count} by relative paths, which lead to where they lie; move them with it, or publish them`
      : `by addresses of this machine (file:///), which hold nowhere else: ${count}; publish them, and export from there`,
  ];
}

async function exportAs(
  tree: DocumentTree,
  options: ExportOptions & Pick<Rebasing, 'onLocal'>,
): Promise<readonly string[]> {
  const { format, out, level, ...rest } = options;
  if (format === 'ndjson') return [`${out}: ${String((await exportNdjson(tree, out, rest)).items)} Items`];
  if (format === 'geoparquet') return toldOf(out, await exportGeoparquet(tree, out, rest));
  const { documents } = await exportStatic(tree, out, level === undefined ? rest : { ...rest, level });
  return [`${out}: ${String(documents)} documents`];
}

function toldOf(
  out: string,
  { items, textColumns, textTimes, cutTimes, leftOut, losesHeights }: GeoparquetExport,
): readonly string[] {
  const notes: readonly (readonly [note: string, names: readonly string[]])[] = [
    ['as JSON text, for Parquet has no type for their values', textColumns],
    ['as text, for some of these times are none in UTC; mend the Items to have them as times', textTimes],
    ['cut to microseconds, the finest that the format tells', cutTimes],
    ['left out, for the Item itself has such a member', leftOut],
    ['without heights, for the boxes of some Items have none', losesHeights ? ['bbox'] : []],
  ];
  const told = notes.filter(([, names]) => names.length > 0).map(([note, names]) => `${note}: ${names.join(', ')}`);
  return [`${out}: ${String(items)} Items`, ...told];
}
