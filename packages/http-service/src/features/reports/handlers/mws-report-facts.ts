import { boxOf, type Mws, sphericalAreaHa, type TableRow } from '@headwater/core';
import type { TableHead, UidSeries } from '@headwater/core/ports';
import type { Ports } from '../../../deps.ts';
import { mapExtent } from '../../../layers/map-extent.ts';
import type { MwsReportFacts } from '../page/mws-report-page.ts';
import { frameOf, outlinePath } from '../page/outline-map.ts';
import type { Language } from '../../../wire/words.ts';
import { mwsReportAddress, tehsilReportAddress } from '../schemas/report-addresses.ts';
import type { NamedPlace } from '../../public-data/schemas/public-places.ts';
import { rowOfAll, WATER_BODIES_SHEET } from '../../public-data/schemas/kyl-record.ts';
import { isUnitSheet } from '../../public-data/schemas/unit-sheets.ts';
import { namedMws } from '../../public-data/handlers/named-tehsil.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { reportCommon, type ReportSources, reportSources } from './report-sources.ts';
import type { ReportFigures, SheetFigures } from './listed-sections.ts';

const MARGIN = 0.35;

/** Data of the report of a micro-watershed. Throws `validation` and `not_found`. */
export async function mwsReportFacts(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'publication' | 'stores' | 'summaries' | 'version'>,
  query: NamedPlace & { readonly uid: string },
  language: Language,
): Promise<MwsReportFacts> {
  const names = await namedMws(deps, query);
  const { uid } = query;
  const [published, around] = await Promise.all([
    publishedOf(deps, names.tehsilId, uid),
    deps.stores.lookups.mwsAround(names.tehsilId, uid),
  ]);
  const sources = await reportSources(deps, names, [...published.tables.map(({ head }) => head), ...published.series]);
  const { prefix } = pageLinks(deps.baseUrl);
  const figures = figuresOf(published, sources);
  return {
    ...reportCommon(deps, { names, sources, figures }),
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
  const frame = frameOf({ box, extent });
  const pathOf = ({ geometry }: Mws): string => outlinePath(geometry, frame);
  const near = around.filter((mws) => mws !== own).map((mws) => ({ uid: mws.uid, path: pathOf(mws) }));
  return { extent, own: pathOf(own), near };
}

interface PublishedOfMws {
  readonly tables: readonly { readonly head: TableHead; readonly rows: readonly TableRow[] }[];
  readonly series: readonly UidSeries[];
}

async function publishedOf({ stores }: Ports<'stores'>, tehsilId: number, uid: string): Promise<PublishedOfMws> {
  const { data } = stores;
  const heads = (await data.tablesOf(tehsilId)).filter(isUnitSheet);
  const names = heads.map(({ name }) => name);
  const [found, series] = await Promise.all([data.rowsOf(tehsilId, names, uid), data.seriesOf(tehsilId, uid)]);
  const tables = heads.map((head) => ({ head, rows: found.get(head.name) ?? [] }));
  return { tables: tables.filter(({ rows }) => rows.length > 0), series };
}

function figuresOf({ tables, series }: PublishedOfMws, sources: ReportSources): ReportFigures {
  const bodies = tables.find(({ head }) => head.name === WATER_BODIES_SHEET);
  const sheets = tables.flatMap(({ head, rows }): [string, SheetFigures][] => {
    const row = rowOfAll(rows);
    return row === undefined || head.name === WATER_BODIES_SHEET
      ? []
      : [[head.name, { columns: head.columns, row, rows, source: sources.of(head) }]];
  });
  return {
    sheets: new Map(sheets),
    series: series.map((each) => ({ ...each, source: sources.of(each) })),
    bodies: bodies === undefined ? undefined : { rows: bodies.rows, source: sources.of(bodies.head) },
  };
}
