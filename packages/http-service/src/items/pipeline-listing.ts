import { type AnyPipeline, eoAccountField, placeFields, yearFields } from '@headwater/core';
import { z } from 'zod';

/** Texts of a pipeline in lists. */
export interface ListedPipeline {
  /** Id of its entry in the list of computations. */
  readonly id: string;
  readonly title: string;
  readonly theme: string | undefined;
  /** Inputs that no pipeline makes. */
  readonly sources: readonly string[];
}

/** Texts of a pipeline in lists; by default its title is its name. */
export function listingOf({ name, listing }: Pick<AnyPipeline, 'name' | 'listing'>): ListedPipeline {
  const { title = name.replaceAll('_', ' '), theme, sources = [] } = listing ?? {};
  return { id: entryId(name), title, theme, sources };
}

/** Id of a pipeline's entry in the list of computations; names may have characters that an address would encode. */
export const entryId = (name: string): string => name.replace(/[^\w-]/g, '-');

const USUAL: ReadonlySet<string> = new Set(Object.keys({ ...placeFields, ...yearFields, ...eoAccountField }));

/** True if a request needs no more than a place, years and an account: such a layer can be missing at a place. */
export function isForAnyPlace({ request }: Pick<AnyPipeline, 'request'>): boolean {
  return Object.entries(request.shape).every(
    ([field, schema]) => USUAL.has(field) || z.safeParse(schema, undefined).success,
  );
}
