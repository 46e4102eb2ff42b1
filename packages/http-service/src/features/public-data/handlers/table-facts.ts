import { storedValidation } from '@headwater/accuracy/report';
import type { TableCell } from '@headwater/core';
import { collectionPath } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import type { TablePageFacts } from '../page/table-parts.ts';
import { textAt } from '../../../layers/read-item.ts';
import { dayText } from '../../../pages/words.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { titlesOnPath } from '../../../items/place-titles.ts';
import { tableAt, type TableRequest, tablesOf } from './tables.ts';
import type { Language } from '../../../wire/words.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { workbookAddress } from '../../reports/schemas/report-addresses.ts';
import type { TablesPageFacts } from '../page/tables-page.ts';
import { crumbsTo } from '../../stac-api/handlers/collection-facts.ts';
import { pageLinks } from '../../../pages/layout.ts';

/** Maximum number of rows on the page. The files have all rows. */
const MOST_ROWS = 500;
const DIGITS = 7;

/** Data of the page of a tehsil's tables. Throws `not_found` for an unknown place, and without tables. */
export async function tablesFacts(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'stores' | 'version'>,
  params: Omit<TableRequest['params'], 'name'>,
  language: Language,
): Promise<Omit<TablesPageFacts, 'shell'>> {
  const { tables } = await tablesOf(deps, params);
  const path = collectionPath(params.state, params.district, params.block);
  const { prefix, here } = pageLinks(deps.baseUrl);
  const above = crumbsTo({ path, language }, deps, await titlesOnPath(deps, path));
  return {
    prefix,
    above,
    tables: tables.map(({ name, columns, row_count: rowCount, published, links }) => ({
      name,
      rowCount,
      columns: columns.map((column) => column.name),
      published: dayText(published, language),
      href: here(links.json) ?? '',
      csv: here(links.csv) ?? '',
    })),
    workbook: workbookAddress(prefix, { state: params.state, district: params.district, tehsil: params.block }),
    self: deps.baseUrl + fill(paths.tables, params),
    version: deps.version,
  };
}

/** Data of a table's page. Throws `not_found` for an unknown place or table. */
export async function tableFacts(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'stores' | 'version'>,
  params: TableRequest['params'],
  language: Language,
): Promise<Omit<TablePageFacts, 'shell'>> {
  const table = await tableAt(deps, params);
  const { name, columns, rows, key, itemId, version, publishedAt } = table;
  const path = collectionPath(params.state, params.district, params.block);
  const addresses = createAddresses(deps.baseUrl);
  const { prefix, here } = pageLinks(deps.baseUrl);
  const [titleOf, layer] = await Promise.all([
    titlesOnPath(deps, path),
    itemId === null ? undefined : deps.stores.catalog.item(path, itemId),
  ]);
  const self = addresses.table(path, name, 'json');
  return {
    prefix,
    name,
    above: crumbsTo({ path, language }, deps, titleOf),
    layer:
      itemId === null
        ? undefined
        : {
            title: textAt(layer?.item, 'properties', 'title') ?? itemId,
            href: here(addresses.item(path, itemId)) ?? '',
          },
    validation: storedValidation(table),
    key,
    columns: columns.map(({ name: column, unit, description, type }) => ({
      name: column,
      unit: unit ?? '',
      description,
      isNumber: type === 'number' || type === 'integer',
    })),
    rows: rows.slice(0, MOST_ROWS).map((row) => columns.map((column) => cellText(row[column.name] ?? null))),
    rowCount: rows.length,
    published: dayText(publishedAt, language),
    tableVersion: String(version),
    self,
    csv: here(addresses.table(path, name, 'csv')) ?? '',
    version: deps.version,
  };
}

function cellText(cell: TableCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(Number(cell.toPrecision(DIGITS)));
  return typeof cell === 'object' ? cell.map(cellText).join(', ') : String(cell);
}
