/** Series that can be imported. */
export interface SeriesForm {
  readonly name: string;
  /** Name of the series in files, in lower case, without blanks and underscores. */
  readonly nameInFiles: string;
  readonly unit?: string;
  readonly description: string;
}

const water = (name: string, nameInFiles: string, what: string): SeriesForm => ({
  name,
  nameInFiles,
  unit: 'mm',
  description: `${what}, mm; each date begins a fortnight; imported from a file`,
});
const ndvi = (cover: string, what: string): SeriesForm => ({
  name: `ndvi_${cover}`,
  nameInFiles: `ndvi${cover}`,
  description: `Mean NDVI of ${what}, -1 to 1; each date begins a fortnight; imported from a file`,
});

/** Series of the layers `deltaG_fortnight_*` and `ndvi_timeseries_*`. */
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

/** Finds a series by its name in a file, such as `RunOff`, `delta g` or `NDVI_crop`. */
export function seriesFormOf(name: string): SeriesForm | undefined {
  const nameInFiles = name.toLowerCase().replace(/[\s_]/g, '');
  return SERIES_FORMS.find((form) => form.nameInFiles === nameInFiles);
}

/** Parts of a file name: kind of series, place, and for NDVI the land cover. */
const FILE_NAME = /^(?:deltaG_fortnight_|ndvi_timeseries_)?(.*?)(?:_(crop|shrub|tree))?$/i;

/** Place in the name of a file of series. */
export const placeInName = (stem: string): string => FILE_NAME.exec(stem)?.[1] ?? stem;

/** Finds the series of a file with one number per date, by the land cover at the end of the file name. */
export function seriesInName(fileName: string): SeriesForm | undefined {
  const cover = FILE_NAME.exec(fileName.replace(/\.[A-Za-z]+$/, ''))?.[2];
  return cover === undefined ? undefined : seriesFormOf(`ndvi_${cover}`);
}
