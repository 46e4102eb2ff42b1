/** A series that is served or kept: how files call it, and what its numbers are. */
export interface SeriesForm {
  readonly name: string;
  /** In lower case, without blanks and underscores. */
  readonly called: string;
  readonly unit?: string;
  readonly description: string;
}

const water = (name: string, called: string, what: string): SeriesForm => ({
  name,
  called,
  unit: 'mm',
  description: `${what}, mm; each date begins a fortnight. Imported`,
});
const ndvi = (cover: string, what: string): SeriesForm => ({
  name: `ndvi_${cover}`,
  called: `ndvi${cover}`,
  description: `Mean NDVI of ${what}, -1 to 1; each date begins a fortnight. Imported`,
});

/** Series of the live system's layers by fortnight (wire-contract 2.4). */
export const SERIES_FORMS: readonly SeriesForm[] = [
  water('et', 'et', 'Evapotranspiration'),
  water('runoff', 'runoff', 'Runoff'),
  water('precipitation', 'precipitation', 'Precipitation'),
  water('g', 'g', 'Groundwater'),
  water('delta_g', 'deltag', 'Change of groundwater'),
  ndvi('crop', 'crops'),
  ndvi('shrub', 'shrub'),
  ndvi('tree', 'trees'),
];

/** The series that a file calls so: `RunOff`, `delta g`, `NDVI_crop`. */
export function seriesFormOf(name: string): SeriesForm | undefined {
  const called = name.toLowerCase().replace(/[\s_]/g, '');
  return SERIES_FORMS.find((form) => form.called === called);
}

/** Names of layers that hold series, as files are called: what they are of, and the place between. */
const FILE_NAME = /^(?:deltaG_fortnight_|ndvi_timeseries_)?(.*?)(?:_(crop|shrub|tree))?$/i;

/** The place in the name of a file of series. */
export const placeInName = (stem: string): string => FILE_NAME.exec(stem)?.[1] ?? stem;

/** The series that a file of one number by date is of, as its name tells. */
export function seriesInName(fileName: string): SeriesForm | undefined {
  const cover = FILE_NAME.exec(fileName.replace(/\.[A-Za-z]+$/, ''))?.[2];
  return cover === undefined ? undefined : seriesFormOf(`ndvi_${cover}`);
}
