import type { TehsilNames } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import { pageLinks } from '../../../pages/layout.ts';
import type { Language } from '../../../wire/words.ts';
import { isUnitSheet } from '../../public-data/schemas/unit-sheets.ts';
import type { ResourceReportFacts } from '../page/resource-report-page.ts';
import { LISTED_SHEETS } from '../schemas/listed-sheets.ts';
import { tehsilReportAddress } from '../schemas/report-addresses.ts';
import { reportCommon, reportSources } from './report-sources.ts';
import { totalsOf } from './tehsil-report-facts.ts';

const TOTALS = ['surfaceWaterBodies_annual', 'hydrological_annual', 'soge_vector', 'lulc_vector', 'nrega_annual'];
const LISTED: ReadonlySet<string> = new Set(LISTED_SHEETS.map(({ sheet }) => sheet));

/** Data of the report about a tehsil's resources. `plan`: name or id of a plan in the address; '' if there is none. */
export async function resourceReportFacts(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'publication' | 'stores' | 'summaries' | 'version'>,
  { names, plan }: { readonly names: TehsilNames; readonly plan: string },
  language: Language,
): Promise<ResourceReportFacts> {
  const wanted = [...TOTALS, ...LISTED];
  const heads = (await deps.stores.data.tablesOf(names.tehsilId)).filter(
    (head) => isUnitSheet(head) && wanted.includes(head.name),
  );
  const sources = await reportSources(deps, names, heads);
  const { sheets } = await totalsOf(deps, { heads, sources, column: undefined, wanted, listed: LISTED });
  return {
    ...reportCommon(deps, { names, sources, figures: { sheets, series: [], bodies: undefined } }),
    language,
    plan,
    tehsilReport: tehsilReportAddress(pageLinks(deps.baseUrl).prefix, names, language),
  };
}
