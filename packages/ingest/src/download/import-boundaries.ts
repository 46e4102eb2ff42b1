import { DomainError, type Importer, type ImportReport } from '@headwater/core';
import { findImporter } from '@headwater/core/imports';
import { basename } from 'node:path';
import { workerUrl } from '@headwater/net/files';
import { BOUNDARY_RULES, type BoundaryKind } from '../import/boundaries/boundary-kind.ts';
import { runInChild } from '../import/child-process/run-in-child.ts';

/** File of boundaries on the local disk. */
export interface BoundaryFile {
  readonly path: string;
  /** Publisher's file name. It may show the kind of boundaries of a file with only one layer. */
  readonly fileName: string;
}

/** Options of an import of boundaries. */
export interface BoundaryImport {
  readonly importers: readonly Importer[];
  readonly signal: AbortSignal;
  readonly progress: (kind: BoundaryKind, done: number, total: number | undefined) => void;
  /** Called with a message for the operator that names the layers that are left out. */
  readonly notice: (message: string) => void;
}

/** Tehsils come first, because rows of unknown tehsils are refused. */
const KINDS = ['places', 'mws', 'villages'] as const satisfies readonly BoundaryKind[];

/**
 * Imports the boundaries of a file, tehsils first; skips boundaries that are already stored. Throws the importers'
 * errors, and `input_data` if no name shows the kind.
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
 * Layers of a GeoPackage or zipped Shapefile, read in a child process; empty for other formats. Throws `validation` for
 * a broken file, or the signal's reason.
 */
export async function layerNames(path: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!path.endsWith('.gpkg') && !path.endsWith('.zip')) return [];
  const worker = workerUrl('../import/layer-names-worker', import.meta.url, '@headwater/ingest');
  return await runInChild<readonly string[]>({ worker, data: path, fileName: basename(path), signal });
}
