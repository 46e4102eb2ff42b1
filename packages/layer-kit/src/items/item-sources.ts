import type { Addresses, OpenedLayer } from '@headwater/core';
import { BETWEEN_CREDITS, propertiesOfItem } from '@headwater/core/pipelines';
import { instant, type ItemInput, type LinkTarget } from '@headwater/stac';

/** Members of an Item that come from its source layers. */
export interface ItemSources {
  readonly derivedFrom: readonly LinkTarget[];
  /** Credits that the sources require; absent if there are none. */
  readonly attribution?: string;
  /** True if a source is synthetic. */
  readonly synthetic: boolean;
}

/** Reads the Items of opened layers. A layer without an Item adds nothing. */
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

/** Times from the first to the last hydrological year: 1 July to 30 June. */
export const timesOfYears = ([from, to]: readonly [number, number]): Pick<ItemInput, 'start' | 'end'> => ({
  start: instant(`${from}-07-01T00:00:00Z`),
  end: instant(`${to + 1}-06-30T00:00:00Z`),
});

interface TitleParts {
  readonly place: string;
  /** Absent for a layer without years. */
  readonly years?: readonly [number, number] | undefined;
  readonly synthetic: boolean;
}

/** Title of an Item. Years are calendar years: `2021-2024` is July 2021 to June 2024. */
export function itemTitle(shown: string, { place, years, synthetic }: TitleParts): string {
  const during = years === undefined ? '' : `: ${years[0]}-${years[1] + 1}`;
  return `${shown} of ${place}${during}${synthetic ? ' (synthetic sample)' : ''}`;
}
