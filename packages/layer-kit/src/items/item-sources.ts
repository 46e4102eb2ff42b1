import type { Addresses, OpenedLayer } from '@headwater/core';
import { BETWEEN_CREDITS, propertiesOfItem } from '@headwater/core/pipelines';
import { instant, type ItemInput, type LinkTarget } from '@headwater/stac';

/** Members that the Items of a layer's sources add to the Item of the layer. */
export interface ItemSources {
  readonly derivedFrom: readonly LinkTarget[];
  /** Credits that the sources require, each credit once. Absent if no source requires a credit. */
  readonly attribution?: string;
  /** True if a source is synthetic. */
  readonly synthetic: boolean;
}

/** Reads the Items of opened layers; a layer without an Item adds nothing. */
export function itemSources(sources: readonly OpenedLayer[], addresses: Pick<Addresses, 'item'>): ItemSources {
  const items = sources.flatMap(({ item }) => (item === undefined ? [] : [item]));
  const properties = items.map(({ item }) => propertiesOfItem(item));
  const credits = properties.flatMap(({ attribution }) => (typeof attribution === 'string' ? [attribution] : []));
  return {
    derivedFrom: items.map(({ collectionPath, id }) => ({
      href: addresses.item(collectionPath, id),
      title: id,
      type: 'application/geo+json',
    })),
    ...(credits.length === 0 ? {} : { attribution: [...new Set(credits)].join(BETWEEN_CREDITS) }),
    synthetic: properties.some((each) => each['headwater:synthetic'] === true),
  };
}

/** Times of an Item from the first to the last hydrological year: 1 July to 30 June. */
export const timesOfYears = ([from, to]: readonly [number, number]): Pick<ItemInput, 'start' | 'end'> => ({
  start: instant(`${from}-07-01T00:00:00Z`),
  end: instant(`${to + 1}-06-30T00:00:00Z`),
});

/** Parts of an Item's title that follow the subject of the title. */
interface TitleParts {
  readonly place: string;
  /** First and last hydrological year; absent for a layer without years. */
  readonly years?: readonly [number, number] | undefined;
  readonly synthetic: boolean;
}

/** Title of an Item of a place. The years are calendar years: `2021-2024` means July 2021 to June 2024. */
export function itemTitle(shown: string, { place, years, synthetic }: TitleParts): string {
  const during = years === undefined ? '' : `: ${years[0]}-${years[1] + 1}`;
  return `${shown} of ${place}${during}${synthetic ? ' (synthetic sample)' : ''}`;
}
