import type { CursorValue } from '@headwater/core/search';
import type { ItemForm, SearchConditions, SortKey } from '@headwater/core/ports';
import type { SearchSql } from '../database.ts';
import { itemTextColumns, type ItemTextRow } from '../texts/item-text.ts';
import { whereSql } from './conditions.ts';
import { type OrderSql, orderSql } from './order-sql.ts';
import { createParameters, type Parameters } from './conditions.ts';

/** A row of a page, with the values of its keys; without text and content where they are more than the page may have. */
export type PageRow = ItemTextRow & Readonly<Record<`k${number}`, string | null>>;

/** A page that is asked for. */
export interface PageQuery {
  readonly request: SearchConditions;
  readonly keys: readonly SortKey[];
  readonly after: readonly CursorValue[] | undefined;
  readonly form: ItemForm;
  readonly limit: number;
  readonly maxBytes: number;
}

/** A statement of a page while it is written. */
export interface PageSql {
  readonly parameters: Parameters;
  readonly order: OrderSql;
  /** What holds of an Item `i` that follows the cursor, where there is one. */
  readonly later: readonly string[];
  /** One row more than asked for tells whether a page follows. */
  readonly most: string;
  /** Columns of a row of the page. */
  readonly columns: string;
  /** The rows of a page, of whose Items in `found` only the first are read. */
  readonly page: (found: string) => string;
}

/** Rows of a page in their order, one more than asked where there is one; texts beyond the bytes of a page stay in the database. */
export async function rowsInOrder(sql: SearchSql, query: PageQuery): Promise<readonly PageRow[]> {
  const { parameters, order, later, most, columns, page } = pageSql(query);
  const where = [whereSql(query.request, parameters), ...later].join(' and ');
  const found = `select i.* from headwater.items i where ${where} order by ${order.orderBy} limit ${most}`;
  const text = `select ${columns} from (${page(found)}) q order by ${order.orderAgain}`;
  return await sql.rows<PageRow>(text, parameters.values);
}

/** The parts of every statement of a page. */
export function pageSql({ request, keys, after, form, limit, maxBytes }: PageQuery): PageSql {
  const parameters = createParameters();
  const { add } = parameters;
  const order = orderSql(keys, parameters, request.collections?.length === 1);
  const later = after === undefined ? [] : [order.after(after)];
  const [most, bytes, name] = [`${add(limit + 1)}::int`, `${add(maxBytes)}::bigint`, add(form.name)];
  const told = keys.map((_key, index) => `, k${index}`).join('');
  return {
    parameters,
    order,
    later,
    most,
    columns: `id, "collectionPath", version, "runId", updated, case when fits then text end as text,
      case when fits then content end as content${told}`,
    // What is told of an Item is made for the rows of the page, not for all that are put in order.
    page: (found) => `select p.*, coalesce(sum(octet_length(coalesce(p.text, p.content))) over
      (order by ${order.orderAgain} rows between unbounded preceding and 1 preceding), 0) <= ${bytes} as fits
      from (select ${itemTextColumns(name)}, ${order.selected} from (${found}) i) p`,
  };
}
