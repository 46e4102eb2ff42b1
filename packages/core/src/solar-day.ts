/** Milliseconds of solar time per degree of longitude to the east: 24 h / 360. */
const MS_PER_DEGREE = 240_000;

/**
 * Day of an instant (ISO 8601) in mean solar time at a longitude, as ISO date. Sentinel-2 passes at about 10:30 solar time, far from
 * midnight at every longitude; over the Pacific the UTC day changes during a pass (as `solar_day` of odc-stac).
 */
export function solarDay(datetime: string, longitude: number): string {
  return new Date(Date.parse(datetime) + longitude * MS_PER_DEGREE).toISOString().slice(0, 10);
}
