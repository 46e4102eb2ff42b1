import { fieldError, type FieldErrors, invalidField } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/**
 * What a schema's own words leave open, in plain ones: problem and remedy for somebody who wrote the value by hand. For `error` of a
 * parse; what a schema says itself goes before.
 */
function plainIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue.expected, issue.input);
    case 'too_small':
      return issue.origin === 'string' ? 'is empty; write something' : `must be ${issue.minimum} at least`;
    case 'too_big':
      return mostProblem(issue.origin, issue.maximum);
    case 'unrecognized_keys':
      return `has ${issue.keys.slice(0, MOST_LISTED).join(', ').slice(0, 200)}, which is not known; take it out`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    default:
      return 'is not valid; look the field up';
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

function mostProblem(origin: string, most: number | bigint): string {
  if (origin === 'string') return `is longer than ${most} characters; shorten it`;
  if (origin === 'array') return `has more than ${most} entries; leave some out`;
  return `must be ${most} at most`;
}

/** Words of a schema for whatever is wrong with a value, missing ones included. */
const worded = (remedy: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? `is missing; ${remedy}` : remedy),
});

const text = (most: number) => z.string().trim().min(1).max(most);
const name = z
  .string(worded('write text such as "drainage_lines"'))
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'use 1 to 100 letters, digits, _ and - only, a letter or digit first');
const webAddress = z.url({ protocol: /^https?$/, error: 'write an address such as https://example.org' });

const day = z.iso.date(worded('write a day such as 2021-07-01'));

const provider = z.strictObject({
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

const LICENSE = worded('write an SPDX identifier such as CC-BY-4.0');

/** What is said of a layer that is imported: it becomes part of its Item, record and addresses. */
export const layerOptions = z.strictObject({
  /** What precedes the place in the layer's name, and ends the Item's id: `drainage_lines`. */
  name,
  /** Workspace at the map server. */
  workspace: name,
  /** As the directory of datasets names it. */
  dataset: text(200),
  /** Of the Item, without the place: `Drainage lines`. */
  title: text(200),
  /** Method, source, meaning of values or columns; Markdown. */
  description: text(20_000),
  /** SPDX identifier of the licence under which the layer may be used. */
  license: z.string(LICENSE).regex(/^[\w\-.+]{1,100}$/, LICENSE),
  /** Who made it; one at least. */
  providers: z.array(provider).min(1, 'name one at least').max(20),
  /** Credit as its makers word it. */
  attribution: text(2000).optional(),
  /** How it was made, in one line; left out: that it was imported. */
  lineage: text(2000).optional(),
  /** First and last day that it is of. */
  start: day,
  end: day,
  keywords: z.array(text(100)).max(50).optional(),
  /** Unit of a raster's values, as UCUM writes it. */
  unit: text(50).optional(),
  /** Meaning of a raster's values, where these are classes (uint8). */
  classes: z.array(legendClass).min(1).max(256).optional(),
  /** Absolute paths of style files that go with it; left out: styles that follow from its values. */
  styles: z.strictObject({ qml: z.string().optional(), sld: z.string().optional() }).optional(),
});

/** Names of those without which no layer can be described. */
const NEEDED = Object.entries(layerOptions.shape)
  .flatMap(([name, member]) => (member.safeParse(undefined).success ? [] : [name]))
  .join(', ');

/** The same, typed. */
export type LayerOptions = Readonly<z.infer<typeof layerOptions>>;

/** Options as they are used. Throws `validation` that names each field that cannot be. */
export function checkLayerOptions(given: unknown): LayerOptions {
  if (given === undefined) throw invalidField('options', `are needed for a layer: ${NEEDED}, at least.`);
  const read = layerOptions.safeParse(given, { error: plainIssue });
  if (read.success) {
    if (read.data.start <= read.data.end) return read.data;
    throw fieldError('validation', { end: [{ rule: 'invalid', message: 'is before start; swap the two days.' }] });
  }
  const fields: Record<string, { rule: 'invalid'; message: string }[]> = {};
  for (const { path, message } of read.error.issues) {
    const field = path.length === 0 ? 'options' : path.join('.');
    const words = path.length === 0 && !isObject(given) ? `${message}: ${NEEDED}, at least` : message;
    fields[field] = [...(fields[field] ?? []), { rule: 'invalid', message: `${words}.` }];
  }
  const told: FieldErrors = fields;
  throw fieldError('validation', told);
}
