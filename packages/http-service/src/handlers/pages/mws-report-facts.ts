import { boxOf, type Mws, sphericalAreaHa } from '@headwater/core';
import type { ServiceDeps } from '../../deps.ts';
import { mapExtent } from '../../layers/map-extent.ts';
import type { MwsReportFacts } from '../../pages/report/mws-report-page.ts';
import type { Language } from '../../wire/languages.ts';
import { mwsReportAddress, tehsilReportAddress } from '../../wire/reports/report-addresses.ts';
import type { NamedPlace } from '../../wire/schemas/public-places.ts';
import { WATER_BODIES_SHEET } from '../../wire/schemas/kyl-record.ts';
import { mwsRows } from '../mws-rows.ts';
import { namedMws } from '../named-mws.ts';
import { pageLinks } from './links.ts';
import { reportCommon } from './report-common.ts';
import { REPORT_SHEETS, type ReportFigures, type SheetFigures } from './report-sections.ts';
import { type ReportSources, reportSources } from './report-sources.ts';

/** What is around a micro-watershed on its map, as a share of its box on each side. */
const MARGIN = 0.35;

/** A micro-watershed as its report tells it. Throws `validation` and `not_found`. */
export async function mwsReportFacts(
  deps: ServiceDeps,
  query: NamedPlace & { readonly uid: string },
  language: Language,
): Promise<MwsReportFacts> {
  const names = await namedMws(deps, query);
  const { uid } = query;
  const [sources, around] = await Promise.all([
    reportSources(deps, names),
    deps.stores.lookups.mwsAround(names.tehsilId, uid),
  ]);
  const { prefix } = pageLinks(deps.baseUrl);
  const other = mwsReportAddress(prefix, { names, uid }, language === 'hi' ? 'en' : 'hi');
  const figures = await figuresOf(deps, { tehsilId: names.tehsilId, uid, sources });
  return {
    ...reportCommon(deps, { names, sources, figures, other }),
    language,
    uid,
    tehsilReport: tehsilReportAddress(prefix, names, language),
    map: mapOf(around, uid),
    areaHa: around.filter((mws) => mws.uid === uid).reduce((sum, { geometry }) => sum + sphericalAreaHa(geometry), 0),
    neighbours: around
      .filter((mws) => mws.uid !== uid)
      .map((mws) => ({ title: mws.uid, href: mwsReportAddress(prefix, { names, uid: mws.uid }, language) })),
  };
}

function mapOf(around: readonly Mws[], uid: string): MwsReportFacts['map'] {
  const own = around.find((mws) => mws.uid === uid);
  if (own === undefined) return undefined;
  const [west, south, east, north] = boxOf([own.geometry]);
  const margin = MARGIN * Math.max(east - west, north - south);
  const box = [west - margin, south - margin, east + margin, north + margin] as const;
  const extent = mapExtent({ bbox: box });
  if (extent === undefined) return undefined;
  const others = around.filter((mws) => mws !== own).map(({ geometry }) => geometry);
  return { box, extent, own: own.geometry, others };
}

interface Wanted {
  readonly tehsilId: number;
  readonly uid: string;
  readonly sources: ReportSources;
}

async function figuresOf({ stores }: ServiceDeps, { tehsilId, uid, sources }: Wanted): Promise<ReportFigures> {
  const { data } = stores;
  const heads = await data.tablesOf(tehsilId);
  const known = heads.filter(({ name }) => REPORT_SHEETS.includes(name));
  const [{ rows, bodies }, series] = await Promise.all([
    mwsRows(data, { tehsilId, uid, sheets: known.map(({ name }) => name) }),
    data.seriesOf(tehsilId, uid),
  ]);
  const water = heads.find(({ name }) => name === WATER_BODIES_SHEET);
  const sheets = known.flatMap((head): [string, SheetFigures][] => {
    const row = rows.get(head.name);
    return row === undefined ? [] : [[head.name, { columns: head.columns, row, source: sources.of(head) }]];
  });
  return {
    sheets: new Map(sheets),
    series: series.map((each) => ({ ...each, source: sources.of(each) })),
    bodies: water === undefined || bodies.length === 0 ? undefined : { rows: bodies, source: sources.of(water) },
  };
}
