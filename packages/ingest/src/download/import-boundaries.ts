import { DomainError, type Importer, type ImportReport } from '@headwater/core';
import { findImporter } from '@headwater/core/imports';
import { basename } from 'node:path';
import { workerUrl } from '@headwater/net/files';
import { BOUNDARY_RULES, type BoundaryKind } from '../import/boundaries/boundary-kind.ts';
import { runInChild } from '../import/child-process/run-in-child.ts';

/** A file of boundaries on this machine's disk. */
export interface BoundaryFile {
  readonly path: string;
  /**
   * File name that the publisher uses, with the ending of its format. If the file has only one layer, and the name of
   * this layer shows no kind of boundaries, the kind is taken from the file name.
   */
  readonly fileName: string;
}

/** Options of an import of boundaries. */
export interface BoundaryImport {
  readonly importers: readonly Importer[];
  readonly signal: AbortSignal;
  readonly progress: (kind: BoundaryKind, done: number, total: number | undefined) => void;
  /** Called with a message that names the layers that are left out. */
  readonly notice: (message: string) => void;
}

/**
 * Kinds in the order in which they are stored. Tehsils come first, because the importer of micro-watersheds and villages
 * refuses rows of unknown tehsils.
 */
const KINDS = ['places', 'mws', 'villages'] as const satisfies readonly BoundaryKind[];

/**
 * Imports the boundaries of a file: tehsils first, then micro-watersheds and villages, each from the layer with the name of the kind.
 * Does not store boundaries again that are already stored. Throws the importers' errors, and `input_data` if the names do not show the
 * kind.
 */
export async function importBoundaries(
  { path, fileName }: BoundaryFile,
  { importers, signal, progress, notice }: BoundaryImport,
): Promise<readonly ImportReport[]> {
  const names = await layerNames(path, signal);
  const kinds = kindsOf(fileName, names);
  const left = names.length > 1 ? names.filter((name) => kindNamed(name) === undefined) : [];
  if (left.length > 0)
    notice(
      `${fileName}: layers left out, because their names are not those of boundaries: ${left.slice(0, 20).join(', ')}`,
    );
  const reports: ImportReport[] = [];
  for (const kind of kinds) {
    signal.throwIfAborted();
    const report = (done: number, total?: number): void => progress(kind, done, total);
    reports.push(await findImporter(importers, kind, fileName).run({ path, fileName, signal, progress: report }));
  }
  return reports;
}

/** The kinds that a file contains, in the order of `KINDS`. */
function kindsOf(fileName: string, names: readonly string[]): readonly BoundaryKind[] {
  const stem = fileName.replace(/\.\w+$/, '');
  const named = names.length > 1 ? names : [names[0] ?? stem, stem].filter((name) => kindNamed(name)).slice(0, 1);
  const found = KINDS.filter((kind) => named.some((name) => kindNamed(name) === kind));
  if (found.length > 0) return found;
  const known = KINDS.map((kind) => `${BOUNDARY_RULES[kind].layers.join(', ')} for ${kind}`).join('; ');
  const what =
    names.length === 0
      ? 'the kind is not clear from its name'
      : `the kind is not clear from its layers (${names.slice(0, 20).join(', ')})`;
  throw new DomainError(
    'input_data',
    `${fileName}: ${what}; name the layers ${known}; or import the file as one kind: npx headwater import KIND FILE`,
  );
}

const kindNamed = (name: string): BoundaryKind | undefined =>
  KINDS.find((kind) => BOUNDARY_RULES[kind].layers.includes(name.toLowerCase()));

/**
 * Names of the layers of a GeoPackage, or of the Shapefiles of a zip file, read in a child process; empty for GeoJSON. Throws `validation`
 * for a broken file, and the signal's reason if the signal aborts.
 */
export async function layerNames(path: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!path.endsWith('.gpkg') && !path.endsWith('.zip')) return [];
  const worker = workerUrl('../import/layer-names-worker', import.meta.url, '@headwater/ingest');
  return await runInChild<readonly string[]>({ worker, data: path, fileName: basename(path), signal });
}
