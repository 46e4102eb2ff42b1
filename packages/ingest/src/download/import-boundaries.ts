import { DomainError, findImporter, type Importer, type ImportReport } from '@headwater/core';
import { BOUNDARY_KINDS, type BoundaryKind, kindOfLayer } from '../import/layer-kinds.ts';
import { layerNames } from '../import/layer-names.ts';

/** A file of boundaries on this machine's disk. */
export interface BoundaryFile {
  readonly path: string;
  /** What its publisher calls it; tells the kind of a file with one layer whose own name does not. */
  readonly fileName: string;
}

/** What reading boundaries needs. */
export interface BoundaryImport {
  readonly importers: readonly Importer[];
  readonly signal: AbortSignal;
  readonly progress: (kind: BoundaryKind, done: number, total: number | undefined) => void;
  /** Told of layers that are left out. */
  readonly notice: (message: string) => void;
}

/**
 * Stores the boundaries of a file: tehsils first, then micro-watersheds and villages, each from the layers whose names tell that kind. What
 * is there already, the same, is not stored again. Throws what the importers throw, and `input_data` where no layer tells its kind.
 */
export async function importBoundaries(
  file: BoundaryFile,
  { importers, signal, progress, notice }: BoundaryImport,
): Promise<readonly ImportReport[]> {
  const { path, fileName } = file;
  const names = await layerNames(path);
  const kinds = kindsOf(fileName, names);
  const left = names.filter((name) => kindOfLayer(name) === undefined);
  if (names.length > 1 && left.length > 0)
    notice(`${fileName}: left out, since their names tell no kind of boundaries: ${left.slice(0, 20).join(', ')}`);
  const reports: ImportReport[] = [];
  for (const kind of kinds) {
    reports.push(
      await findImporter(importers, kind, path).run({
        path,
        fileName,
        signal,
        progress: (done, total) => progress(kind, done, total),
      }),
    );
    signal.throwIfAborted();
  }
  return reports;
}

/** The kinds that a file holds, in their order. */
function kindsOf(fileName: string, names: readonly string[]): readonly BoundaryKind[] {
  const [first = '', ...others] = names;
  // The file's own name says more of its only layer than `layer1` does.
  if (others.length === 0) return [kindOfLayer(first) ?? kindOfLayer(fileName) ?? 'places'];
  const found = BOUNDARY_KINDS.filter((kind) => names.some((name) => kindOfLayer(name) === kind));
  if (found.length > 0) return found;
  throw new DomainError(
    'input_data',
    `${fileName}: none of its layers (${names.slice(0, 20).join(', ')}) tells by its name what it holds; name them tehsils, mws and villages`,
  );
}
