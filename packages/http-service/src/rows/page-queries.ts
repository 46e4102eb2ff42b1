import { z } from 'zod';
import { RunId } from '../features/runs/schemas/runs.ts';
import { integerText } from '../wire/text.ts';

const format = z
  .enum(['html', 'json'], 'Must be html or json.')
  .optional()
  .describe('Page or document; goes before `Accept`, which decides otherwise.');

/** Query of an address that answers a document, and a page for people. */
export const FormQuery = z.object({ format });

/** Query of one whose page is a long list. */
export const ListQuery = z.object({
  format,
  page: integerText(1, 1_000_000).optional().describe('Page of the list that people see, from 1; documents are whole.'),
});

/** Query of the first page. */
export const FirstPageQuery = z.object({
  before: RunId.optional().describe('Shows what was published before this run.'),
});
