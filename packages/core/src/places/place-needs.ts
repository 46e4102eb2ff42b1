import { collectionPath } from '@headwater/stac';
import { DomainError } from '../errors.ts';
import type { CatalogStore } from '../ports/catalog.ts';
import type { TehsilNames } from '../ports/places.ts';
import type { RunStore } from '../ports/runs.ts';
import type { DataStore } from '../ports/tables.ts';

/** Stores with the data and runs of a tehsil. */
export interface NeedSources {
  readonly catalog: Pick<CatalogStore, 'layersOf' | 'collection'>;
  readonly data: Pick<DataStore, 'hasData'>;
  readonly runs: Pick<RunStore, 'hasOpenRuns'>;
}

/** Data and runs because of which a tehsil must not be removed. */
export interface PlaceNeeds {
  readonly layers: number;
  /** True if the tehsil has a table or series. */
  readonly hasData: boolean;
  readonly hasItems: boolean;
  readonly hasOpenRuns: boolean;
}

/** Finds the data and runs because of which a tehsil must not be removed. */
export async function placeNeeds(
  { tehsilId, state, district, tehsil }: TehsilNames,
  { catalog, data, runs }: NeedSources,
): Promise<PlaceNeeds> {
  return {
    layers: (await catalog.layersOf(tehsilId)).length,
    hasData: await data.hasData(tehsilId),
    hasItems: (await catalog.collection(collectionPath(state, district, tehsil))) !== undefined,
    hasOpenRuns: await runs.hasOpenRuns(tehsilId),
  };
}

/** Returns true for a tehsil that must not be removed. */
export function isNeeded({ layers, hasData, hasItems, hasOpenRuns: isAwaited }: PlaceNeeds): boolean {
  return layers > 0 || hasData || hasItems || isAwaited;
}

/** Creates the error for a tehsil that must not be removed. */
export function tehsilUsed(): DomainError {
  return new DomainError(
    'conflict',
    'The tehsil stays, because it has published layers, tables or series, or runs that are queued or running. Deactivate it instead.',
  );
}
