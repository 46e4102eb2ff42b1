import { DomainError, invalidField } from '../errors.ts';
import type { Importer, ImportKind, ImportReport } from '../ports/imports.ts';

/** All kinds of importers. */
export const IMPORT_KINDS = [
  'places',
  'mws',
  'villages',
  'workbook',
  'series',
  'layer',
] as const satisfies readonly ImportKind[];

/**
 * Finds the importer of a kind for a file name. Throws `validation` for an unknown kind or file ending, `unavailable`
 * for a kind without importer.
 */
export function findImporter(importers: readonly Importer[], kind: string, fileName: string): Importer {
  if (!IMPORT_KINDS.some((known) => known === kind))
    throw invalidField('kind', `"${kind.slice(0, 40)}" is not one of ${IMPORT_KINDS.join(', ')}.`);
  const importer = importers.find((each) => each.kind === kind);
  if (importer === undefined)
    throw new DomainError(
      'unavailable',
      `Files of the kind ${kind} cannot be imported in this version; it imports ${kindsOf(importers)}.`,
    );
  const name = fileName.toLowerCase();
  if (!importer.endings.some((ending) => name.endsWith(ending)))
    throw invalidField(
      'file',
      `"${fileName.slice(0, 100)}" cannot be imported as ${kind}; use a file that ends in ${importer.endings.join(', ')}.`,
    );
  return importer;
}

const kindsOf = (importers: readonly Importer[]): string =>
  importers.length === 0 ? 'nothing yet' : importers.map(({ kind }) => kind).join(', ');

/** Returns true if all rows of a file were refused and none was stored earlier. */
export function isWhollyRefused({ stored, unchanged, refusedCount }: ImportReport): boolean {
  return refusedCount > 0 && stored + unchanged === 0;
}
