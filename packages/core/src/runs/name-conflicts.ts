import { DomainError } from '../errors.ts';
import type { PublishedTable } from '../ports/tables.ts';

/** A Collection of the tree: its path and its own id. */
export interface CollectionName {
  readonly path: string;
  /** The path's parts joined by `_`; the id for STAC clients. */
  readonly id: string;
}

/** The Collections along a path: state, district and block. */
export function collectionsOn(path: string): readonly CollectionName[] {
  const parts = path.split('/');
  return parts.map((_, index) => {
    const path = parts.slice(0, index + 1).join('/');
    return { path, id: idOfPath(path) };
  });
}

/** Id of the Collection at a path. */
export function idOfPath(path: string): string {
  return path.replaceAll('/', '_');
}

/** The error for a layer whose name belongs to another tehsil. */
export function layerTaken(workspace: string, layerName: string): DomainError {
  return new DomainError(
    'conflict',
    `Layer ${workspace}:${layerName} is published for another tehsil and stays as it is. ` +
      'Start the run again: it will choose names from the current place directory. If that does not help, rename one of the two places.',
  );
}

/** The error for a Collection whose id belongs to another place's Collection. */
export function collectionTaken({ id, path }: CollectionName, other: string): DomainError {
  return new DomainError(
    'conflict',
    `The Collections ${path} and ${other} would both have the id "${id}". Rename one of the two places in the place directory.`,
  );
}

/** The error for a table whose earlier Item is gone, or belongs to no layer of the table's tehsil. */
export function itemGone({ name, earlierItem }: PublishedTable): DomainError {
  return new DomainError(
    'conflict',
    `Table ${name} belongs to Item ${earlierItem?.id ?? ''}, which is not published for a layer of its tehsil (any more). Start the run again.`,
  );
}
