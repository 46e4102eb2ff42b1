import { type DomainError, placeSlug, type StoredTable } from '@headwater/core';
import { findPlace } from '@headwater/core/places';
import type { TableHead } from '@headwater/core/ports';
import type { Ports, ServiceDeps } from '../../../deps.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { csvText } from '../schemas/csv.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { tableBody, tableList } from '../schemas/tables.ts';
import type { z } from 'zod';
import type { BlockParams } from '../../stac-api/schemas/stac.ts';
import { conditionStatus, type RequestHeaders, type Validators } from '../../../reading/conditions.ts';
import { computingRoutes, tableRoutes } from '../../../items/computing-routes.ts';
import { findTehsilByPath } from '../../../items/first-tehsil.ts';

type Block = z.infer<typeof BlockParams>;

/** Request for a table in a format. The headers may name the version that the caller has. */
export interface TableRequest {
  readonly params: Block & { readonly name: string };
  readonly format: 'json' | 'csv';
  readonly headers: RequestHeaders;
}

/**
 * Response with a table. If a condition in the headers requires 304 or 412, no rows are read. Throws `not_found`.
 */
export async function tableReply(
  deps: Ports<'canCompute' | 'pipelines' | 'stores' | 'version'>,
  { params, format, headers }: TableRequest,
): Promise<Reply> {
  const { data, places } = deps.stores;
  const tehsilId = await tehsilOf(places, params);
  const head = await data.tableHead(tehsilId, params.name);
  if (head === undefined) throw noTable(deps, params);
  const known = validators(deps, head, format);
  const status = conditionStatus(known, headers);
  if (status !== undefined) return { status, headers: fileHeaders(known), body: undefined };
  return contentReply(deps, await tableAt(deps, params), format);
}

/** A table of a block with its rows. Throws `not_found`. */
export async function tableAt(
  deps: Ports<'canCompute' | 'pipelines' | 'stores'>,
  params: TableRequest['params'],
): Promise<StoredTable> {
  const { stores } = deps;
  const table = await stores.data.table(await tehsilOf(stores.places, params), params.name);
  if (table === undefined) throw noTable(deps, params);
  return table;
}

/** Tables of a block. Throws `not_found` for an unknown place, and without tables. */
export async function tablesOf(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'stores'>,
  params: Block,
): Promise<ReturnType<typeof tableList>> {
  const { stores, baseUrl } = deps;
  const heads = await stores.data.tablesOf(await tehsilOf(stores.places, params));
  if (heads.length === 0) throw absent('tables', { tehsil: params.block, routes: tableRoutes(deps) });
  return tableList(heads, { path: `${params.state}/${params.district}/${params.block}`, baseUrl });
}

function contentReply(deps: Ports<'version'>, table: StoredTable, format: 'json' | 'csv'): Reply {
  const known = validators(deps, table, format);
  const headers = fileHeaders(known);
  if (format === 'json') return prepared(JSON.stringify(tableBody(table)), { etag: headers.etag, headers });
  const names = table.columns.map(({ name }) => name);
  const text = csvText(
    names,
    table.rows.map((row) => names.map((name) => row[name] ?? null)),
  );
  const download = { 'content-disposition': `attachment; filename="${table.name}.csv"` };
  return prepared(text, { type: 'text/csv; charset=utf-8', etag: headers.etag, headers: { ...headers, ...download } });
}

function noTable(
  deps: Ports<'canCompute' | 'pipelines'>,
  { name, state, district, block }: TableRequest['params'],
): DomainError {
  const list = fill(paths.tables, { state, district, block });
  return absent('table', { name, list, routes: computingRoutes(deps, [name]) });
}

/** The ETag contains the version of the service, because another version may write rows differently. */
function validators({ version }: Ports<'version'>, head: TableHead, format: string): Validators {
  return { etag: `${head.runId}-${head.version}-${format}-${version}`, modified: new Date(head.publishedAt) };
}

/** Headers of the newest version of tables: a weak ETag, and the time of publication. */
export function fileHeaders({
  etag,
  modified,
}: Validators): Record<'etag' | 'last-modified' | 'cache-control' | 'vary', string> {
  const vary = 'Accept, Accept-Encoding';
  return { etag: `W/"${etag}"`, 'last-modified': modified.toUTCString(), 'cache-control': 'no-cache', vary };
}

async function tehsilOf(places: ServiceDeps['stores']['places'], { state, district, block }: Block): Promise<number> {
  const found = await findTehsilByPath(places, [state, district, block].map(placeSlug));
  return found?.ids[2] ?? (await findPlace(places, { state, district, tehsil: block })).tehsil.id;
}
