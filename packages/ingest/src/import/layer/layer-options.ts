import { fieldError, type FieldErrors, invalidField } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Problem and remedy of an invalid value, for zod's option `error`. */
export function plainIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue.expected, issue.input);
    case 'too_small':
      return leastProblem(issue.origin, issue.minimum);
    case 'too_big':
      return mostProblem(issue.origin, issue.maximum);
    case 'unrecognized_keys':
      return `has unknown members: ${issue.keys.slice(0, MOST_LISTED).join(', ').slice(0, 200)}; remove them`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    default:
      return 'is not valid; see the documentation of the field';
  }
}

const MOST_LISTED = 8;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object with members',
};

function typeProblem(expected: string, input: unknown): string {
  const kind = KINDS[expected] ?? expected;
  return input === undefined || input === null ? `is missing; write it as ${kind}` : `must be ${kind}`;
}

function leastProblem(origin: string, least: number | bigint): string {
  if (origin === 'string') return 'is empty; write a text';
  if (origin === 'array') return `has too few entries; write at least ${least}`;
  return `must be at least ${least}`;
}

function mostProblem(origin: string, most: number | bigint): string {
  if (origin === 'string') return `is longer than ${most} characters; shorten it`;
  if (origin === 'array') return `has more than ${most} entries; leave some out`;
  return `must be at most ${most}`;
}

/**
 * Option `error` of zod. The message for every invalid value is `remedy`; for a missing value, "is missing" precedes
 * `remedy`.
 */
const worded = (remedy: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? `is missing; ${remedy}` : remedy),
});

const text = (most: number) => z.string().trim().min(1).max(most);
const name = z
  .string(worded('write text such as "drainage_lines"'))
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
    'use only 1 to 100 letters, digits, _ and -, beginning with a letter or digit',
  );
const webAddress = z.url({ protocol: /^https?$/, error: 'write an address such as https://example.org' });

const day = z.iso.date(worded('write a day such as 2021-07-01'));

/** Schema of an organisation that made a layer. */
export const provider = z.strictObject({
  name: text(200),
  description: text(2000).optional(),
  roles: z.array(z.enum(['producer', 'licensor', 'processor', 'host'])).optional(),
  url: webAddress.optional(),
});

const legendClass = z.strictObject({
  value: z.int().min(0).max(255),
  name,
  title: text(200),
  color: z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'write the colour as #rrggbb'),
});

/** Message for an invalid license. */
export const LICENSE = worded('write an SPDX identifier such as CC-BY-4.0');

/** Schema of an imported layer's options, which become part of its Item and addresses. */
export const layerOptions = z.strictObject({
  /** Name of the data set, such as `drainage_lines`: first part of the layer's name, and last part of the Item id. */
  name,
  /** Workspace on the map server. */
  workspace: name,
  /** Name in the directory of datasets. */
  dataset: text(200),
  /** Title without the place: `Drainage lines`. */
  title: text(200),
  /** Markdown about the method, the source, and the values or columns. */
  description: text(20_000),
  /** SPDX identifier of the license. */
  license: z.string(LICENSE).regex(/^[\w\-.+]{1,100}$/, LICENSE),
  /** Organisations that made the layer. */
  providers: z.array(provider).min(1, 'name at least one').max(20),
  /** Credit in the words that the makers require. */
  attribution: text(2000).optional(),
  /** History of the data in one line; default: a sentence about the import. */
  lineage: text(2000).optional(),
  /** First and last day of the data. */
  start: day,
  end: day,
  keywords: z.array(text(100)).max(50).optional(),
  /** UCUM unit of a raster. */
  unit: text(50).optional(),
  /** Meaning of each value of a raster of classes (uint8). */
  classes: z.array(legendClass).min(1).max(256).optional(),
  /** Absolute paths of style files; default: a style that is made from the values. */
  styles: z.strictObject({ qml: z.string().optional(), sld: z.string().optional() }).optional(),
});

const NEEDED = Object.entries(layerOptions.shape)
  .flatMap(([name, member]) => (member.safeParse(undefined).success ? [] : [name]))
  .join(', ');

/** Options of a layer to import. */
export type LayerOptions = Readonly<z.infer<typeof layerOptions>>;

/** Checks the options of a layer. Throws `validation` with each invalid field. */
export function checkLayerOptions(options: unknown): LayerOptions {
  if (options === undefined) throw invalidField('options', `are required for a layer, with at least: ${NEEDED}.`);
  const read = layerOptions.safeParse(options, { error: plainIssue });
  if (read.success) {
    if (read.data.start <= read.data.end) return read.data;
    throw fieldError('validation', { end: [{ rule: 'invalid', message: 'is before start; swap the two days.' }] });
  }
  const fields: Record<string, { rule: 'invalid'; message: string }[]> = {};
  for (const { path, message } of read.error.issues) {
    const field = path.length === 0 ? 'options' : path.join('.');
    const words = path.length === 0 && !isObject(options) ? `${message}; required are ${NEEDED}` : message;
    fields[field] = [...(fields[field] ?? []), { rule: 'invalid', message: `${words}.` }];
  }
  throw fieldError('validation', fields satisfies FieldErrors);
}
