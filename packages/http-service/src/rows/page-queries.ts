import { z } from 'zod';
import { RunId } from '../features/runs/schemas/runs.ts';
import { integerText } from '../wire/text.ts';
import { LANGUAGES } from '../wire/words.ts';

const format = z
  .enum(['html', 'json'], 'Must be html or json.')
  .optional()
  .describe('Page or document; takes precedence over `Accept`.');

/** Query of an address with a document and a page. */
export const FormQuery = z.object({ format });

/** Query of an Item. */
export const ItemQuery = z.object({
  format,
  lang: z
    .enum(LANGUAGES, `Must be ${LANGUAGES.join(' or ')}.`)
    .optional()
    .describe('Language of the map on the page; default: by `Accept-Language`, otherwise English.'),
});

/** Query of an address whose page is a long list. */
export const ListQuery = z.object({
  format,
  page: integerText(1, 1_000_000).optional().describe('Page of the HTML list, from 1; documents have the whole list.'),
});

/** Query of the list of regions. */
export const RegionsQuery = z.object({
  format,
  before: RunId.optional().describe('Lists regions older than this run.'),
  page: integerText(1, 1_000_000).optional().describe('Number of the HTML page of this list, for its title.'),
});

/** Responses without content that several rows have. */
export const NOT_MODIFIED = { description: 'The client has the current version in its cache' };
export const PRECONDITION_FAILED = {
  description: 'The current version differs from `If-Match`, or is newer than `If-Unmodified-Since`',
};
