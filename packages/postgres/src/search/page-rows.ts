import type { CursorValue } from '@headwater/core/search';
import type { ItemForm, ItemKey, SearchConditions, SortKey } from '@headwater/core/ports';
import type { SearchSql } from '../database.ts';
import { itemTextColumns, type ItemTextRow } from '../texts/item-text.ts';
import { whereSql } from './conditions.ts';
import { type OrderSql, orderSql } from './order-sql.ts';
import { createParameters, type Parameters } from './conditions.ts';

/**
 * Row of a page with its sort keys. Text and content are null if the preceding rows together exceed the maximum size of
 * the page.
 */
export type PageRow = ItemTextRow & Readonly<Record<`k${number}`, string | null>>;

/** A requested page. */
export interface PageQuery {
  readonly request: SearchConditions;
  readonly keys: readonly SortKey[];
  readonly after: readonly CursorValue[] | undefined;
  readonly form: ItemForm;
  readonly limit: number;
  readonly maxBytes: number;
  /** If present, only these Items are returned. */
  readonly only?: readonly ItemKey[];
}

/** Parts of a page's statement. */
export interface PageSql {
  readonly parameters: Parameters;
  readonly order: OrderSql;
  /** Conditions of the Items `i` after the cursor; empty without a cursor. */
  readonly later: readonly string[];
  /** Limit of rows: the requested number plus one, because a further row shows that another page follows. */
  readonly most: string;
  readonly columns: string;
  /** Wraps the statement `found`, so that only the rows that fit into the page are read completely. */
  readonly page: (found: string) => string;
}

/**
 * Returns the rows of a page in order, and one further row if another page follows. Texts beyond the maximum size are
 * not loaded.
 */
export async function rowsInOrder(sql: SearchSql, query: PageQuery): Promise<readonly PageRow[]> {
  const { parameters, order, later, most, columns, page } = pageSql(query);
  const where = [whereSql(query.request, parameters), ...later, ...onlySql(query, parameters)].join(' and ');
  const found = `select i.* from headwater.items i where ${where} order by ${order.orderBy} limit ${most}`;
  const text = `select ${columns} from (${page(found)}) q order by ${order.orderAgain}`;
  return await sql.rows<PageRow>(text, parameters.values);
}

function onlySql({ only }: PageQuery, { add }: Parameters): readonly string[] {
  if (only === undefined) return [];
  const [paths, ids] = [add(only.map(({ collectionPath }) => collectionPath)), add(only.map(({ id }) => id))];
  return [`(i.collection_path, i.id) in (select * from unnest(${paths}::text[], ${ids}::text[]))`];
}

/** Builds the parts that every statement of a page uses. */
export function pageSql({ request, keys, after, form, limit, maxBytes }: PageQuery): PageSql {
  const parameters = createParameters();
  const { add } = parameters;
  const order = orderSql(keys, parameters, request.collections?.length === 1);
  const later = after === undefined ? [] : [order.after(after)];
  const [most, bytes, name] = [`${add(limit + 1)}::int`, `${add(maxBytes)}::bigint`, add(form.name)];
  const keyColumns = keys.map((_key, index) => `, k${index}`).join('');
  return {
    parameters,
    order,
    later,
    most,
    columns: `id, "collectionPath", version, "runId", updated, case when fits then text end as text,
      case when fits then content end as content${keyColumns}`,
    // Texts are selected outside of `found`, so that they are read only for the rows of the page.
    page: (found) => `select p.*, coalesce(sum(octet_length(coalesce(p.text, p.content))) over
      (order by ${order.orderAgain} rows between unbounded preceding and 1 preceding), 0) <= ${bytes} as fits
      from (select ${itemTextColumns(name)}, ${order.selected} from (${found}) i) p`,
  };
}
