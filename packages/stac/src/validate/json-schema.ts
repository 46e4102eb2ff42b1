import { isList, isObject } from '../json.ts';
import { isBoolean, isCount, isNumber, isShallow, isString, isUnique, oneOf, type Test } from './checks.ts';

/** How deep a schema is looked into. */
const LEVELS = 64;

const TEXTS = '$id $ref $schema $comment title description pattern format contentMediaType contentEncoding'.split(' ');
const TYPE = oneOf('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
const isFilled = (value: unknown): value is readonly unknown[] => isList(value) && value.length > 0;
const isTexts: Test = (value) => isList(value) && value.every(isString) && isUnique(value);
/** A schema is looked up when it is needed: schemas hold schemas. */
const isPart: Test = (value) => typeof value === 'boolean' || isSchemaObject(value);
const isParts: Test = (value) => isFilled(value) && value.every(isPart);
const mapOf =
  (test: Test): Test =>
  (value) =>
    isObject(value) && Object.values(value).every(test);

/** What each keyword of draft 7 must be; any other may be anything. */
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

/** True for an object that is a JSON Schema of draft 7. Texts in it are not looked into, and references not followed. */
export function isJsonSchema(value: unknown): boolean {
  return isShallow(value, LEVELS) && isSchemaObject(value);
}
