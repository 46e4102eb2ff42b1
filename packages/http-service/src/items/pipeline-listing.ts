import { type AnyPipeline, eoAccountField, placeFields, yearFields } from '@headwater/core';
import { z } from 'zod';
import { translated } from '../pages/texts.ts';
import type { Language } from '../wire/words.ts';

/** Texts of a pipeline in lists. */
export interface ListedPipeline {
  /** Id of the entry in the list of computations. */
  readonly id: string;
  readonly lang: Language;
  readonly title: string;
  readonly theme: string | undefined;
  /** Description in one sentence. */
  readonly summary: string;
  /** Inputs that no pipeline computes. */
  readonly sources: readonly string[];
}

/** Returns the texts of a pipeline in lists, in English unless all of them have a translation. */
export function listingOf(
  { name, summary, listing }: Pick<AnyPipeline, 'name' | 'summary' | 'listing'>,
  language: Language,
): ListedPipeline {
  const { title = name.replaceAll('_', ' '), theme, sources = [] } = listing ?? {};
  const own = (text: string): string | undefined => translated(text, language);
  const isKnown = [title, summary, ...(theme === undefined ? [] : [theme]), ...sources].every(
    (text) => own(text) !== undefined,
  );
  const shown = (text: string): string => (isKnown ? own(text) : undefined) ?? text;
  return {
    id: entryId(name),
    lang: isKnown ? language : 'en',
    title: shown(title),
    theme: theme && shown(theme),
    summary: shown(summary),
    sources: sources.map(shown),
  };
}

/** Id of a pipeline's entry in the list of computations, without characters that an address would encode. */
export const entryId = (name: string): string => name.replace(/[^\w-]/g, '-');

const USUAL: ReadonlySet<string> = new Set(Object.keys({ ...placeFields, ...yearFields, ...eoAccountField }));

/** True if a request needs only a place, years and an account. */
export function isForAnyPlace({ request }: Pick<AnyPipeline, 'request'>): boolean {
  return Object.entries(request.shape).every(
    ([field, schema]) => USUAL.has(field) || z.safeParse(schema, undefined).success,
  );
}
