import type { Ports } from '../../../deps.ts';
import type { Reply } from '../../../seam/reply.ts';
import type { KylQuery, NamedPlace } from '../schemas/public-places.ts';
import { namedTehsil } from './named-tehsil.ts';
import { attachment, placeFileName } from './workbook.ts';

/** Indicators of every micro-watershed of a tehsil, in the form that is asked for. Throws `not_found` where no table tells of any. */
export async function kylDownload(deps: Ports<'kyl' | 'stores'>, { fileType, ...place }: KylQuery): Promise<Reply> {
  const names = await namedTehsil(deps, place);
  const reply = await deps.kyl.file(names.tehsilId, fileType);
  if (fileType === 'json') return reply;
  // The bytes stay those that are kept, and so do their compressed forms.
  return {
    ...reply,
    headers: { ...reply.headers, ...attachment(`${placeFileName(names)}_KYL_filter_data.${fileType}`) },
  };
}

/** What is known of each village of a tehsil. Throws `not_found` where none is known. */
export async function kylVillages(deps: Ports<'kyl' | 'stores'>, place: NamedPlace): Promise<Reply> {
  return await deps.kyl.villages(await namedTehsil(deps, place));
}
