import { EXTENSIONS } from '../extensions.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { isBoolean, isCount, isNumber, isShallow, isString, isUnique, oneOf, type Test } from './checks.ts';
import { EXTENSION_FIELDS } from './extension-fields.ts';
import { checkFieldsOf, checkListed } from './metadata.ts';
import { at, type Report } from './report.ts';

const LEVELS = 64;

const TEXTS = '$id $ref $schema $comment title description pattern format contentMediaType contentEncoding'.split(' ');
const TYPE = oneOf('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
const isFilled = (value: unknown): value is readonly unknown[] => isList(value) && value.length > 0;
const isTexts: Test = (value) => isList(value) && value.every(isString) && isUnique(value);
/** Test of a schema in a schema: true, false or an object. */
const isPart: Test = (value) => typeof value === 'boolean' || isSchemaObject(value);
const isParts: Test = (value) => isFilled(value) && value.every(isPart);
const mapOf =
  (test: Test): Test =>
  (value) =>
    isObject(value) && Object.values(value).every(test);

/** Tests of JSON Schema keywords (draft 7); other keywords may have any value. */
const KEYWORDS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...TEXTS.map((key): [string, Test] => [key, isString]),
  ...['readOnly', 'writeOnly', 'uniqueItems'].map((key): [string, Test] => [key, isBoolean]),
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'].map((key): [string, Test] => [key, isNumber]),
  ...['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'].map((key): [string, Test] => [
    key,
    isCount,
  ]),
  ...['additionalItems', 'contains', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not'].map(
    (key): [string, Test] => [key, isPart],
  ),
  ...['allOf', 'anyOf', 'oneOf'].map((key): [string, Test] => [key, isParts]),
  ...['definitions', 'properties', 'patternProperties'].map((key): [string, Test] => [key, mapOf(isPart)]),
  ['examples', isList],
  ['enum', (value) => isFilled(value) && isUnique(value)],
  ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
  ['items', (value) => isPart(value) || isParts(value)],
  ['required', isTexts],
  ['dependencies', mapOf((value) => isPart(value) || isTexts(value))],
  ['type', (value) => TYPE(value) || (isFilled(value) && value.every(TYPE) && isUnique(value))],
]);

function isSchemaObject(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, member]) => member === undefined || KEYWORDS.get(key)?.(member) !== false)
  );
}

/** True for a JSON Schema of draft 7. Patterns are not checked, and references are not followed. */
function isJsonSchema(value: unknown): boolean {
  return isShallow(value, LEVELS) && isSchemaObject(value);
}

/** Checks the form of a Collection's `summaries`, and the fields of classification and raster if declared. */
export function checkSummaries(report: Report, summaries: unknown): void {
  if (summaries === undefined) return;
  if (!isObject(summaries)) {
    report.add('/summaries', {
      rule: 'summaries',
      got: summaries,
      expected: 'an object',
      fix: 'write field -> values',
      source: 'stac',
    });
    return;
  }
  for (const [key, summary] of Object.entries(summaries)) {
    if (isSummary(summary)) continue;
    report.add(at('/summaries', key), {
      rule: 'summaries.value',
      got: summary,
      expected: 'a list that is not empty, {minimum, maximum}, or a JSON Schema of draft 7',
      fix: 'write one of these, or leave it out',
      source: 'stac',
    });
  }
  // The summary of classes is a list of classes like the field itself, so the rules of the field apply.
  checkFieldsOf(report, '/summaries', { value: summaries, owner: 'classification' });
  if (report.declared.raster === 'exact') checkRaster(report, summaries);
}

function isSummary(summary: unknown): boolean {
  if (isList(summary)) return summary.length > 0;
  if (!isObject(summary)) return false;
  const ends = [summary['minimum'], summary['maximum']];
  const isRange = ends.every((end) => typeof end === 'number' || isString(end));
  return isRange || (Object.keys(summary).length > 0 && isJsonSchema(summary));
}

/**
 * Checks the summaries of raster fields: a list must contain valid values of the field. An object is accepted, because
 * it is a range or a schema.
 */
function checkRaster(report: Report, summaries: JsonObject): void {
  const source = EXTENSIONS.raster;
  for (const [key, { test, expected, fix }] of Object.entries(EXTENSION_FIELDS.raster)) {
    const summary = summaries[key];
    if (summary === undefined || isObject(summary) || (isList(summary) && summary.every(test))) continue;
    const rule = `summaries.${key.replace(':', '.')}`;
    report.add(at('/summaries', key), {
      rule,
      got: summary,
      expected: `a list of values, each ${expected}; or a range`,
      fix,
      source,
    });
  }
  checkListed(report, '/summaries/bands', { list: summaries['bands'], owner: 'raster' });
}
