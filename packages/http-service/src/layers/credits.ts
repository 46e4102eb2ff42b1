import { BETWEEN_CREDITS } from '@headwater/core/pipelines';
import type { Publication } from './publication.ts';

/** Pattern of a text that ends with a year or a range of years. */
const WITH_YEARS = /^(.*\S) (\d{4})(?:-(\d{4}))?$/;

/**
 * Credits for the foot of a page: the credits of its layers, each once, then the credit of the service. Credits that
 * differ only in the years at their end are merged into one, with a range of years.
 */
export function creditsOf(
  { attribution }: Pick<Publication, 'attribution'>,
  layers: readonly { readonly attribution: string | undefined }[],
): readonly string[] {
  const years = new Map<string, readonly string[]>();
  for (const credit of layers.flatMap(({ attribution: of }) => of?.split(BETWEEN_CREDITS) ?? [])) {
    const [, text = credit, ...found] = WITH_YEARS.exec(credit) ?? [];
    years.set(text, [...(years.get(text) ?? []), ...found.filter((year) => year !== undefined)]);
  }
  const merged = [...years].map(([text, found]) => [text, ...yearsText(found)].join(' '));
  return [...new Set([...merged, ...(attribution === undefined ? [] : [attribution])])];
}

function yearsText(years: readonly string[]): readonly string[] {
  const sorted = years.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [first === last ? first : `${first}-${last}`];
}
