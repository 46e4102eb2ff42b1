import type { Html } from '../../../pages/layout.ts';
import { PAGE_HEADERS } from '../../../pages/layout.ts';
import { prepared } from '../../../caching/prepared.ts';
import { languageOf } from '../../../reading/accept-language.ts';
import type { Reply } from '../../../seam/reply.ts';
import type { Language } from '../../../wire/languages.ts';
import type { RequestHeaders } from '../../../reading/conditions.ts';
import { attachment } from '../../public-data/handlers/workbook.ts';
import { HTML_TYPE } from '../../../answering/in-form.ts';

/** What tells the language of a report. */
export interface ReportRequest {
  readonly headers: RequestHeaders;
  /** As the address names it; it goes before `Accept-Language`. */
  readonly lang: Language | undefined;
  /** Name of the file in which it is to be saved; left out: it is shown. */
  readonly fileName?: string;
}

/** A page without script, in the language that the request means. */
export async function reportReply(
  { lang, headers, fileName }: ReportRequest,
  page: (language: Language) => Promise<Html>,
): Promise<Reply> {
  const language = lang ?? languageOf(headers['accept-language']);
  const text = String(await page(language));
  return prepared(text, {
    type: HTML_TYPE,
    headers: {
      ...PAGE_HEADERS,
      ...(fileName === undefined ? {} : attachment(fileName)),
      'content-language': language,
      vary: 'Accept-Language',
    },
  });
}
