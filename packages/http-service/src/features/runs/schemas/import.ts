import type { ImportPlace } from '@headwater/core/ports';
import type { ImportReport } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { z } from 'zod';
import { RequestError } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import { booleanText, text } from '../../../wire/text.ts';

/** Path parameters of an upload. */
export const ImportParams = z.object({ kind: z.string().describe('places, mws, villages, workbook, series or layer') });

/** Query of an upload. */
export const ImportQuery = z.object({
  dry_run: booleanText
    .optional()
    .describe('true: everything is checked, nothing is stored. It may also be sent as a field of the form.'),
});

const name = text(100).optional();
const ofTehsil = 'of the tehsil, if the file does not name its tehsil.';

const OPTIONS_TEXT =
  'Only for layers, which require it: description of the layer, a JSON object as text. Required: `name` (of the layer, without the place), `workspace`, `dataset`, ' +
  '`title`, `description`, `license` (SPDX), `providers` (`[{"name": …}]`, its producers), `start` and `end` (first and last day). ' +
  'Optional: `attribution`, `lineage`, `keywords`, and for a raster `unit` or `classes` (`[{"value": 1, "name": …, "title": …, "color": "#rrggbb"}]`). ' +
  'Style files are accepted only by the command `headwater import`.';

/** Refuses paths of style files, because a remote user could read files of the disk. */
const optionsText = z.string().transform((text, context): unknown => {
  const options = parsed(text);
  if (!isObject(options)) context.addIssue({ code: 'custom', message: sentences.notJsonObject });
  else if ('styles' in options) context.addIssue({ code: 'custom', message: sentences.stylesByCommand });
  return options;
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fields next to the file. The tehsil is required if the file has no tehsil. */
export const ImportFields = z
  .strictObject({
    state: name.describe(`State ${ofTehsil}`),
    district: name.describe(`District ${ofTehsil}`),
    tehsil: name.describe('Name of the tehsil, if the file does not name its tehsil.'),
    block: name.describe('The same as tehsil.'),
    options: optionsText.optional(),
    dry_run: booleanText.optional(),
  })
  .meta({ id: 'ImportFields' });

/** The body as OpenAPI documents it. */
export const ImportBody = z
  .object({
    ...ImportFields.shape,
    options: z.string().optional().describe(OPTIONS_TEXT),
    dry_run: z.enum(['true', 'false']).optional().describe('true: everything is checked, nothing is stored.'),
    file: z.file().describe('The file.'),
  })
  .meta({ id: 'ImportBody' });

/** The tehsil that the fields name; undefined without names. Throws if names are missing or contradictory. */
export function importPlace({
  state,
  district,
  tehsil,
  block,
}: z.output<typeof ImportFields>): ImportPlace | undefined {
  const own = tehsil ?? block;
  if (tehsil !== undefined && block !== undefined && tehsil !== block)
    throw new RequestError({ block: [sentences.twoNames('tehsil')] });
  const fields = { state, district, tehsil: own };
  const missing = Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [field] : []));
  if (state !== undefined && district !== undefined && own !== undefined) return { state, district, tehsil: own };
  if (missing.length === Object.keys(fields).length) return undefined;
  throw new RequestError(Object.fromEntries(missing.map((field) => [field, [sentences.required]])));
}

const Row = { source: z.string().describe('File, sheet or layer.'), row: z.int().describe('Counted from 1.') };

/** Report of an import. */
export const ImportReportBody = z
  .object({
    kind: z.string(),
    file_name: z.string(),
    dry_run: z.boolean().describe('True: nothing was stored.'),
    stored: z.int().describe('Number of new or changed rows or features.'),
    unchanged: z.int().describe('Number of rows or features that were already stored and have not changed.'),
    removed: z.int().describe('Number of rows or features that were removed, because they are not in the file.'),
    refused_count: z.int(),
    refused: z
      .array(z.object({ ...Row, field: z.string().optional(), problem: z.string() }))
      .describe('The first 1,000 refused rows or features.'),
    repaired_count: z.int(),
    repaired: z.array(z.object({ ...Row, repair: z.string() })).describe('The first 1,000 repaired rows or features.'),
  })
  .meta({ id: 'ImportReport' });

/** Body of an upload of KML as OpenAPI documents it. */
export const KmlBody = ImportBody.extend({
  kind: z
    .enum(['places', 'mws', 'villages', 'layer'])
    .describe('Kind of the placemarks. The kind must come before the file.'),
}).meta({ id: 'KmlBody' });

/** Response to an upload of KML. */
export const KmlReportBody = ImportReportBody.extend({ Success: z.string() }).meta({ id: 'KmlReport' });

/** Converts an import report into its wire form. */
export function importReportBody(report: ImportReport, isTrial: boolean): z.output<typeof ImportReportBody> {
  const { kind, fileName, stored, unchanged, removed = 0, refusedCount, refused, repaired } = report;
  return {
    kind,
    file_name: fileName,
    dry_run: isTrial,
    stored,
    unchanged,
    removed,
    refused_count: refusedCount,
    refused: refused.map(({ source, row, field, problem }) => ({
      source,
      row,
      ...(field === undefined ? {} : { field }),
      problem,
    })),
    repaired_count: report.repairedCount ?? repaired.length,
    repaired: repaired.map(({ source, row, repair }) => ({ source, row, repair })),
  };
}
