import { placeSlug } from '@headwater/core';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import type { Ports } from '../../../deps.ts';
import { isForAnyPlace, listingOf } from '../../../items/pipeline-listing.ts';
import { pageLinks } from '../../../pages/layout.ts';
import type { Crumb } from '../../../pages/parts.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { computeFormAddress } from '../../../screens/compute-address.ts';
import { tehsilReportAddress, workbookAddress } from '../../reports/schemas/report-addresses.ts';
import type { TehsilLinks } from '../page/tehsil-parts.ts';

/** Items of a tehsil in which the pipelines of its layers are searched. */
const MOST_ITEMS = 500;

/** Links of a tehsil's page to its report, workbook and tables, and to what is not computed yet; undefined for other Collections. */
export async function tehsilLinks(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'screens' | 'stores'>,
  path: string,
): Promise<TehsilLinks | undefined> {
  const { stores, baseUrl } = deps;
  const [state = '', district = '', block = '', ...deeper] = path.split('/');
  if (block === '' || deeper.length > 0) return undefined;
  const slugs = { state: placeSlug(state), district: placeSlug(district), tehsil: placeSlug(block) };
  const names = await stores.lookups.tehsilNamed(slugs);
  if (names === undefined) return undefined;
  const { prefix } = pageLinks(baseUrl);
  const tables = await stores.data.tablesOf(names.tehsilId);
  return {
    report: tehsilReportAddress(prefix, names),
    workbook: tables.length === 0 ? undefined : workbookAddress(prefix, names),
    tables: tables.length === 0 ? undefined : prefix + fill(paths.tables, { state, district, block }),
    tableCount: tables.length,
    form: computeFormAddress(deps, names),
    missing: await missingAt(deps, path, new Set(tables.map(({ name }) => name))),
  };
}

/** Computations of this service that have published nothing here; empty if it computes nothing. */
async function missingAt(
  { stores, pipelines, canCompute, baseUrl }: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'stores'>,
  path: string,
  tables: ReadonlySet<string>,
): Promise<readonly Crumb[]> {
  if (!canCompute) return [];
  const items = await stores.catalog.listOf(path, { limit: MOST_ITEMS, offset: 0 });
  const runs = await fewAtOnce([...new Set(items.map(({ runId }) => runId))], (id) => stores.runs.get(id));
  const made = new Set(runs.map((run) => run?.pipeline));
  const start = pageLinks(baseUrl).prefix + paths.computations;
  return pipelines
    .filter(({ name, data = [] }) => !made.has(name) && !(data.length > 0 && data.every((each) => tables.has(each))))
    .filter(isForAnyPlace)
    .map((pipeline) => {
      const { id, title } = listingOf(pipeline);
      return { title, href: `${start}#${id}` };
    });
}
