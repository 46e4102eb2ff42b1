import type { UidSeries } from '@headwater/core/ports';
import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Rows of every sheet of a tehsil, by the sheet's name. */
export const TehsilSheetsBody = z
  .record(z.string(), z.array(z.record(z.string(), z.union([scalar, z.array(scalar)]))))
  .meta({ id: 'TehsilSheets' });

/** Address of the report page of a micro-watershed. */
export const MwsReportUrl = z.object({ Mws_report_url: z.url() }).meta({ id: 'MwsReportUrl' });

const WATER = ['et', 'runoff', 'precipitation'] as const;
const NDVI = ['ndvi_crop', 'ndvi_shrub', 'ndvi_tree'] as const;

/** Names of the series, as in the entries of the response. */
export const MWS_SERIES: readonly string[] = [...WATER, ...NDVI];

const reading = z.union([z.number(), z.literal('')]);
const readings = { et: reading, runoff: reading, precipitation: reading };
const indices = { ndvi_crop: reading, ndvi_shrub: reading, ndvi_tree: reading };

/** Time series of a micro-watershed. */
export const MwsSeries = z
  .object({
    mws_id: z.string(),
    time_series: z.array(
      z.object({ date: z.string().describe('First day of the fortnight.'), ...readings, ...indices }),
    ),
  })
  .meta({ id: 'MwsTimeSeries' });

type Entry = z.infer<typeof MwsSeries>['time_series'][number];
type ByDate = ReadonlyMap<string, number | null>;

/**
 * Converts series into wire form, by ascending date. Unknown values are ''. A date that is missing in the series of
 * `et`, `runoff` or `precipitation` has the value 0.
 */
export function mwsSeriesBody(uid: string, series: readonly UidSeries[]): z.infer<typeof MwsSeries> {
  const known = new Map(series.map((each) => [each.name, byDate(each)] as const));
  const shown = MWS_SERIES.flatMap((name) => known.get(name) ?? []);
  const dates = [...new Set(shown.flatMap((each) => [...each.keys()]))].sort();
  const at = (date: string): Entry => {
    const water = (name: (typeof WATER)[number]): number | '' => rounded(known.get(name)?.get(date), 0);
    const ndvi = (name: (typeof NDVI)[number]): number | '' => rounded(known.get(name)?.get(date), '');
    return {
      date,
      et: water('et'),
      runoff: water('runoff'),
      precipitation: water('precipitation'),
      ndvi_crop: ndvi('ndvi_crop'),
      ndvi_shrub: ndvi('ndvi_shrub'),
      ndvi_tree: ndvi('ndvi_tree'),
    };
  };
  return { mws_id: uid, time_series: dates.map(at) };
}

function byDate({ dates, values }: UidSeries): ByDate {
  return new Map(dates.map((date, index) => [date, values[index] ?? null]));
}

function rounded(value: number | null | undefined, absent: 0 | ''): number | '' {
  if (value === undefined) return absent;
  return value === null ? '' : Math.round(value * 100) / 100;
}
