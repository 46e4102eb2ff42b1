import { z } from 'zod';
import { RunId } from '../features/runs/schemas/runs.ts';
import { sentences } from '../wire/sentences.ts';
import { integerText, lang } from '../wire/text.ts';

const format = z
  .enum(['html', 'json'], 'Must be html or json.')
  .optional()
  .describe('Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`.');

/** Query of a page. */
export const PageQuery = z.object({ lang });

/**
 * Language at an address that returns a page or JSON. Unknown values are ignored, because JSON has no language.
 */
const lenientLang = lang
  .catch(undefined)
  .describe('Language of the page; default: by `Accept-Language`, otherwise English.');

/** Query of an address with a document and a page. */
export const FormQuery = z.object({ format, lang: lenientLang });

/** Value of a class: the value of its pixels, which have 8 bits. */
export const classQuery = integerText(0, 255, sentences.integerWithin(0, 255)).optional();

/** Query of a layer's address. */
export const LayerQuery = FormQuery.extend({
  class: classQuery.describe(
    'Value of a class. The page shows only this class in the picture. The JSON document ignores this parameter.',
  ),
});

/** Query of an address whose page is a long list. */
export const ListQuery = z.object({
  format,
  lang: lenientLang,
  page: integerText(1, 1_000_000)
    .optional()
    .describe('Page of the HTML list, from 1; JSON responses contain the whole list.'),
});

/** Query of the list of regions. */
export const RegionsQuery = z.object({
  format,
  lang: lenientLang,
  before: RunId.optional().describe('Lists regions older than this run.'),
  page: integerText(1, 1_000_000)
    .optional()
    .describe('Page number for the title of the HTML page; `before` selects the regions.'),
});

/** Responses without content. */
export const NOT_MODIFIED = { description: 'The client has the current version in its cache' };
export const PRECONDITION_FAILED = {
  description: 'The current version differs from `If-Match`, or is newer than `If-Unmodified-Since`',
};
