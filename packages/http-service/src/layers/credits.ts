import { BETWEEN_CREDITS } from '@headwater/core/pipelines';
import type { Publication } from './publication.ts';

const WITH_YEARS = /^(.*\S) (\d{4})(?:-(\d{4}))?$/;

/**
 * Credits of the layers, each once, then the credit of the service. Credits that differ only in their years are merged
 * into one credit with a range of years.
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
