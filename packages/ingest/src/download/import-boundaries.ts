import { DomainError, type Importer, type ImportReport } from '@headwater/core';
import { findImporter } from '@headwater/core/imports';
import { BOUNDARY_RULES, type BoundaryKind } from '../import/boundaries/boundary-kind.ts';
import { layerNames } from '../import/layer-names.ts';

/** A file of boundaries on this machine's disk. */
export interface BoundaryFile {
  readonly path: string;
  /** What its publisher calls it, with the ending of its format; tells the kind of a file whose only layer does not. */
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

/** In the order in which they are stored: micro-watersheds and villages lie in tehsils. */
const KINDS = ['places', 'mws', 'villages'] as const satisfies readonly BoundaryKind[];

/**
 * Stores the boundaries of a file: tehsils first, then micro-watersheds and villages, each from the layer that is called as that kind is. What
 * is there already, the same, is not stored again. Throws what the importers throw, and `input_data` where no name tells a kind.
 */
export async function importBoundaries(
  { path, fileName }: BoundaryFile,
  { importers, signal, progress, notice }: BoundaryImport,
): Promise<readonly ImportReport[]> {
  const names = await layerNames(path, signal);
  const kinds = kindsOf(fileName, names);
  const left = names.length > 1 ? names.filter((name) => kindNamed(name) === undefined) : [];
  if (left.length > 0)
    notice(`${fileName}: left out, since their names are of no kind of boundaries: ${left.slice(0, 20).join(', ')}`);
  const reports: ImportReport[] = [];
  for (const kind of kinds) {
    signal.throwIfAborted();
    const told = (done: number, total?: number): void => progress(kind, done, total);
    reports.push(await findImporter(importers, kind, fileName).run({ path, fileName, signal, progress: told }));
  }
  return reports;
}

/** The kinds that a file holds, in their order. */
function kindsOf(fileName: string, names: readonly string[]): readonly BoundaryKind[] {
  const stem = fileName.replace(/\.\w+$/, '');
  const telling = names.length > 1 ? names : [names[0] ?? stem, stem].filter((name) => kindNamed(name)).slice(0, 1);
  const found = KINDS.filter((kind) => telling.some((name) => kindNamed(name) === kind));
  if (found.length > 0) return found;
  const known = KINDS.map((kind) => `${BOUNDARY_RULES[kind].layers.join(', ')} for ${kind}`).join('; ');
  const what =
    names.length === 0 ? 'its name does not tell' : `its layers (${names.slice(0, 20).join(', ')}) do not tell`;
  throw new DomainError(
    'input_data',
    `${fileName}: ${what} what it holds; call them ${known}; or import the file as one kind: npx headwater import KIND FILE`,
  );
}

const kindNamed = (name: string): BoundaryKind | undefined =>
  KINDS.find((kind) => BOUNDARY_RULES[kind].layers.includes(name.toLowerCase()));
