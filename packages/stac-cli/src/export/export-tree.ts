import { open } from 'node:fs/promises';
import { eachItem } from '../tree/each-item.ts';
import type { Rebasing } from '../tree/rebase.ts';
import { observeUnreadItems } from '../tree/unread-items.ts';
import type { DocumentTree, WalkLimits } from '../tree/walk.ts';
import type { Replacing } from '../writing/atomic.ts';
import { type FileExport, type FileOptions, makeFile } from '../writing/atomic.ts';
import { refuseSourceOrCwd } from '../reading/access-check.ts';
import { exportStatic } from './export-static.ts';
import { exportGeoparquet, type GeoparquetExport } from './geoparquet/export-geoparquet.ts';

/** Writes each Item as a line of JSON with absolute addresses. Writes no file after a failure. */
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

/** Formats of an export. */
export const FORMATS = ['static', 'ndjson', 'geoparquet'] as const;
export type ExportFormat = (typeof FORMATS)[number];

/** True for the name of a format. */
export function isFormat(name: string): name is ExportFormat {
  return FORMATS.some((each) => each === name);
}

/** Format and target of an export. */
export interface ExportOptions extends WalkLimits, Partial<Replacing> {
  readonly format: ExportFormat;
  /** Target: a folder for static files, otherwise a file. */
  readonly out: string;
  /** False: static files omit the level `tehsil_wise`. */
  readonly level?: boolean;
}

/**
 * Exports a tree. Returns lines that describe the result. After a failure, writes nothing; throws `TargetError` for an
 * invalid target.
 */
export async function exportTree(tree: DocumentTree, options: ExportOptions): Promise<readonly string[]> {
  await refuseSourceOrCwd(tree.root, options.out);
  const observed = observeUnreadItems(tree);
  const local = new Set<string>();
  const written = await exportAs(observed.tree, { ...options, onLocal: (href) => local.add(href) });
  return [...written, ...linesOnLocalFiles(local.size, options.format), ...observed.lines()];
}

function linesOnLocalFiles(files: number, format: ExportFormat): readonly string[] {
  if (files === 0) return [];
  const count = `${String(files)} file${files === 1 ? '' : 's'} that the documents refer to`;
  return [
    format === 'static'
      ? `not included: ${count}; the export has relative paths to these files: move both together, or publish the files`
      : `not included: ${count}; the export has file:/// addresses, which are valid only on this machine: publish the files, and export from the published tree`,
  ];
}

async function exportAs(
  tree: DocumentTree,
  options: ExportOptions & Pick<Rebasing, 'onLocal'>,
): Promise<readonly string[]> {
  const { format, out, level, ...rest } = options;
  if (format === 'ndjson') return [`${out}: ${String((await exportNdjson(tree, out, rest)).items)} Items`];
  if (format === 'geoparquet') return linesOn(out, await exportGeoparquet(tree, out, rest));
  const { documents } = await exportStatic(tree, out, level === undefined ? rest : { ...rest, level });
  return [`${out}: ${String(documents)} documents`];
}

function linesOn(
  out: string,
  { items, textColumns, textTimes, cutTimes, leftOut, losesHeights }: GeoparquetExport,
): readonly string[] {
  const notes: readonly (readonly [note: string, names: readonly string[]])[] = [
    ['written as JSON text, because Parquet has no type that fits all of the values', textColumns],
    ['written as text, because some of the times are not in UTC; correct the Items to get timestamps', textTimes],
    ['cut to microseconds, the precision of the format', cutTimes],
    ['left out, because the Item itself has a member of this name', leftOut],
    ['written without heights, because the boxes of some Items have none', losesHeights ? ['bbox'] : []],
  ];
  const described = notes
    .filter(([, names]) => names.length > 0)
    .map(([note, names]) => `${names.join(', ')}: ${note}`);
  return [`${out}: ${String(items)} Items`, ...described];
}
