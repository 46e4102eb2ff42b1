import { DomainError } from '../errors.ts';
import type { ItemKey } from '../ports/catalog.ts';
import type { PublishedTable } from '../ports/tables.ts';

/** Path and id of a Collection. */
export interface CollectionName {
  readonly path: string;
  /** Id for STAC clients: the parts of the path, joined by `_`. */
  readonly id: string;
}

/** Returns the Collections along a path: state, district and block. */
export function collectionsOn(path: string): readonly CollectionName[] {
  const parts = path.split('/');
  return parts.map((_, index) => {
    const path = parts.slice(0, index + 1).join('/');
    return { path, id: idOfPath(path) };
  });
}

/** Returns the id of the Collection at a path. */
export function idOfPath(path: string): string {
  return path.replaceAll('/', '_');
}

/** Creates the error for a layer whose name belongs to another tehsil. */
export function layerTaken(workspace: string, layerName: string): DomainError {
  return new DomainError(
    'conflict',
    `Layer ${workspace}:${layerName} is published for another tehsil and stays as it is. ` +
      'Start the run again: it will choose names from the current place directory. If that does not help, rename one of the two places.',
  );
}

/** Creates the error for a Collection whose id belongs to the Collection of another place. */
export function collectionTaken({ id, path }: CollectionName, other: string): DomainError {
  return new DomainError(
    'conflict',
    `The Collections ${path} and ${other} would both have the id "${id}". Rename one of the two places in the place directory.`,
  );
}

/** Creates the error for an Item that an unfinished run would publish again. */
export function beingComputed({ id }: ItemKey, runId: string): DomainError {
  return new DomainError(
    'conflict',
    `Item ${id} stays published, because run ${runId} computes it again. Cancel that run or wait for its end, then unpublish the Item.`,
  );
}

/**
 * Creates the error for a table that cannot be added to its Item of an earlier run (`earlierItem`): the Item is not
 * published, or belongs to no layer of the table's tehsil.
 */
export function itemGone({ name, earlierItem }: PublishedTable): DomainError {
  return new DomainError(
    'conflict',
    `Table ${name} belongs to Item ${earlierItem?.id ?? ''}, which is no longer published for a layer of the table's tehsil. Start the run again.`,
  );
}
