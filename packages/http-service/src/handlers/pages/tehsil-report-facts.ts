import type { StoredTable, TableRow, TehsilNames } from '@headwater/core';
import type { ServiceDeps } from '../../deps.ts';
import type { TehsilReportFacts } from '../../pages/report/tehsil-report-page.ts';
import type { Language } from '../../wire/languages.ts';
import { mwsReportAddress, tehsilReportAddress } from '../../wire/reports/report-addresses.ts';
import { pageLinks } from './links.ts';
import { reportCommon } from './report-common.ts';
import { REPORT_SHEETS, type SheetFigures } from './report-sections.ts';
import { type ReportSources, reportSources } from './report-sources.ts';

/** A tehsil as its report tells it: sums of hectares over its micro-watersheds, and a list of these. */
export async function tehsilReportFacts(
  deps: ServiceDeps,
  names: TehsilNames,
  language: Language,
): Promise<TehsilReportFacts> {
  const { lookups } = deps.stores;
  const { prefix } = pageLinks(deps.baseUrl);
  const [sources, uids] = await Promise.all([reportSources(deps, names), lookups.mwsUids(names.tehsilId)]);
  const sheets = await totalsOf(deps, names.tehsilId, sources);
  const other = tehsilReportAddress(prefix, names, language === 'hi' ? 'en' : 'hi');
  return {
    ...reportCommon(deps, { names, sources, figures: { sheets, series: [], bodies: undefined }, other }),
    language,
    mws: uids.map((uid) => ({ title: uid, href: mwsReportAddress(prefix, { names, uid }, language) })),
  };
}

async function totalsOf(
  { stores }: ServiceDeps,
  tehsilId: number,
  sources: ReportSources,
): Promise<ReadonlyMap<string, SheetFigures>> {
  const totals = new Map<string, SheetFigures>();
  const heads = await stores.data.tablesOf(tehsilId);
  // One after the other: each holds its rows until they are added.
  for (const { name } of heads) {
    const table = REPORT_SHEETS.includes(name) ? await stores.data.table(tehsilId, name) : undefined;
    if (table !== undefined)
      totals.set(name, { columns: table.columns, row: sumsOf(table), source: sources.of(table) });
  }
  return totals;
}

/** Sums of the columns that hold hectares, null where no row knows one: shares and quotients add up to nothing. */
function sumsOf({ columns, rows }: StoredTable): TableRow {
  const sums = columns.flatMap(({ name, unit }) => {
    if (unit !== 'ha') return [];
    const known = rows.flatMap((row) => (typeof row[name] === 'number' ? [row[name]] : []));
    return [[name, known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)] as const];
  });
  return Object.fromEntries(sums);
}
