import type { Scene } from '@headwater/core';

/** Credit that the licence of Sentinel data asks for, before the years (sentinels.copernicus.eu, "Legal notice on the use of Copernicus Sentinel Data"). */
const COPERNICUS = 'Contains modified Copernicus Sentinel data';

/** Said in the place of a credit, which nobody is owed. */
const SYNTHETIC = 'Synthetic scenes, made by a program: no satellite took them';

/** The credit for these scenes with their years, `2020` or `2020-2021`; where no satellite took any of them, that they are synthetic. */
export function attributionOf(scenes: readonly Scene[]): string {
  const years = scenes.filter(({ synthetic }) => !synthetic).map(({ datetime }) => datetime.slice(0, 4));
  const [first, last] = [years.toSorted()[0], years.toSorted().at(-1)];
  if (first === undefined || last === undefined) return SYNTHETIC;
  return `${COPERNICUS} ${first === last ? first : `${first}-${last}`}`;
}
