import type { EarthObservation, Scene } from '../ports/earth-observation.ts';

const BANDS = ['blue', 'green', 'red', 'nir', 'swir16', 'scl'];

/** A Sentinel-2 scene of a day (ISO date) over all of India. `change` replaces members. */
export function fakeScene(day: string, change: Partial<Scene> = {}): Scene {
  const band = (name: string) => ({ href: `/fake/${day}/${name}.tif`, offset: 0, scale: 0.0001, nodata: 0 });
  return {
    id: `S2_${day}`,
    itemHref: `https://stac.example.org/items/S2_${day}`,
    collection: 'sentinel-2-l2a',
    datetime: `${day}T05:30:00.000Z`,
    bands: Object.fromEntries(BANDS.map((name) => [name, band(name)])),
    crs: 'EPSG:32643',
    bbox: [68, 6, 98, 38],
    cloudCover: 0,
    processing: {},
    synthetic: true,
    ...change,
  };
}

/** A source of scenes for tests, which searches the given list by box and time. */
export function fakeScenes(scenes: readonly Scene[]): EarthObservation {
  return {
    search: async ({ bbox: [west, south, east, north], start, end }) => ({
      scenes: scenes.filter(({ bbox: [w, s, e, n], datetime }) => {
        const at = Date.parse(datetime);
        const isThen = at >= Date.parse(start) && at < Date.parse(end);
        return isThen && w <= east && e >= west && s <= north && n >= south;
      }),
      rejected: [],
    }),
    probe: async () => `${scenes.length} scenes of a test`,
  };
}
