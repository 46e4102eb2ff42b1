import { createHash } from 'node:crypto';
import { placeSlug, type TehsilNames } from '@headwater/core';
import type { TableHead } from '@headwater/core/ports';
import type { Ports } from '../../../deps.ts';
import type { z } from 'zod';
import type { Reply } from '../../../seam/reply.ts';
import type { WorkbookRefresh } from '../schemas/tables.ts';
import type { NamedPlace } from '../schemas/public-places.ts';
import { withRoutes } from '../../../items/computing-routes.ts';
import { sheetHeads, tehsilWorkbook, XLSX_TYPE } from '../workbook/tehsil-workbook.ts';
import { conditionStatus, type RequestHeaders, type Validators } from '../../../reading/conditions.ts';
import { namedTehsil } from './named-tehsil.ts';
import { fileHeaders } from './tables.ts';

/** Request for the workbook of a place. The headers may name the version that the caller has. */
export interface WorkbookRequest {
  readonly place: NamedPlace;
  readonly method: string;
  readonly headers: RequestHeaders;
}

/**
 * Response with a workbook, which is generated while it is sent. 304 or 412 if a condition in the headers requires it.
 * Throws `not_found` if there is no sheet.
 */
export async function workbookReply(
  deps: Ports<'canCompute' | 'pipelines' | 'stores' | 'version'>,
  { place, method, headers }: WorkbookRequest,
): Promise<Reply> {
  const names = await namedTehsil(deps, place);
  const heads = await withRoutes(deps, names.tehsil, () => sheetHeads(deps.stores.data, names.tehsilId));
  const known = validators(deps, heads);
  const status = conditionStatus(known, headers);
  if (status !== undefined) return { status, headers: fileHeaders(known), body: undefined };
  const body = method === 'HEAD' ? undefined : await tehsilWorkbook(deps.stores.data, heads);
  return {
    status: 200,
    headers: { ...fileHeaders(known), ...attachment(`${placeFileName(names)}.xlsx`), 'content-type': XLSX_TYPE },
    body,
  };
}

/**
 * Lists the sheets of a workbook, and schedules an update of its file in the export folder. Throws `not_found` if there
 * is no sheet.
 */
export async function refreshedWorkbook(
  deps: Ports<'canCompute' | 'pipelines' | 'placeFiles' | 'stores'>,
  place: NamedPlace,
): Promise<z.infer<typeof WorkbookRefresh>> {
  const { tehsilId, tehsil } = await namedTehsil(deps, place);
  const heads = await withRoutes(deps, tehsil, () => sheetHeads(deps.stores.data, tehsilId));
  deps.placeFiles?.touch(tehsilId);
  return { status: 'success', sheets: heads.map(({ name }) => name) };
}

/** Name of a place in file names: `district_tehsil`, both as slugs. */
export function placeFileName({ district, tehsil }: Pick<TehsilNames, 'district' | 'tehsil'>): string {
  return `${placeSlug(district)}_${placeSlug(tehsil)}`;
}

/** Header that makes a browser save the response under this name. */
export const attachment = (name: string): Record<'content-disposition', string> => ({
  'content-disposition': `attachment; filename="${name}"`,
});

/** The ETag is weak: the versions are read before the rows, so the rows may be newer. */
function validators({ version }: Ports<'version'>, heads: readonly TableHead[]): Validators {
  const hash = createHash('sha256').update(version);
  for (const head of heads) hash.update(JSON.stringify([head.name, head.runId, head.version]));
  const newest = Math.max(...heads.map(({ publishedAt }) => Date.parse(publishedAt)));
  return { etag: hash.digest('base64url'), modified: new Date(newest) };
}
