import { isUtcText, isRfc3339UtcText, parseInstant } from '../instant.ts';
import { isObject } from '../json.ts';
import {
  isCount,
  isNumber,
  isPercentage,
  isString,
  listOf,
  matches,
  oneOf,
  orNull,
  shape,
  type Test,
} from './checks.ts';
import { isIri } from './formats.ts';

/** Rule for the elements of a list field. */
export interface Elements {
  readonly test: Test;
  /** Member that must have a different value in each element. */
  readonly key?: string;
}

/** Rule for a field of a metadata object. */
export interface FieldRule {
  readonly rule: string;
  readonly source: string;
  readonly test: Test;
  /** Test of the official schema; absent if equal to `test`. */
  readonly schema?: Test;
  readonly expected: string;
  readonly fix: string;
  readonly elements?: Elements | undefined;
}

/** Default remedy of a field rule. */
export const DEFAULT_FIX = 'write it in this form, or leave the field out';

function stac(expected: string, test: Test, fix = DEFAULT_FIX): Omit<FieldRule, 'rule'> {
  return { source: 'stac', expected, test, fix };
}

const DATA_TYPES =
  'int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 cint16 cint32 cfloat32 cfloat64 other'.split(
    ' ',
  );
/** True for a time that the service can store: no leap second, at most nine digits of a fraction. */
const isStorableTime: Test = (value) => isUtcText(value) && parseInstant(value) === value.replace('+00:00', 'Z');
const STORABLE_TIME = 'RFC 3339 time in UTC, with nine digits of fraction at most and no leap second';
const IN_UTC = 'convert to UTC, write it as 2024-07-01T00:00:00Z, cut a longer fraction';
const UTC = { ...stac(STORABLE_TIME, isStorableTime, IN_UTC), schema: isRfc3339UtcText };

const hasStatistics: Test = (value) =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  shape({
    minimum: isNumber,
    maximum: isNumber,
    mean: isNumber,
    stddev: isNumber,
    count: isCount,
    valid_percent: isPercentage,
  })(value);
const isStatistics: Test = (value) =>
  isObject(value) && hasStatistics(value) && !(Number(value['minimum']) > Number(value['maximum']));

const isProvider = shape(
  {
    name: (value) => isString(value) && value !== '',
    description: isString,
    roles: listOf(oneOf('producer', 'licensor', 'processor', 'host')),
    url: isIri,
  },
  ['name'],
);

/** Rules for fields of the common metadata of STAC 1.1. */
export const COMMON_METADATA: Readonly<Record<string, Omit<FieldRule, 'rule'>>> = {
  title: stac('a text', isString),
  description: stac('a text that is not empty', (value) => isString(value) && value !== ''),
  keywords: stac('a list of texts', listOf(isString)),
  roles: stac('a list of texts', listOf(isString)),
  datetime: { ...stac(`${STORABLE_TIME}, or null`, orNull(isStorableTime), IN_UTC), schema: orNull(isRfc3339UtcText) },
  start_datetime: UTC,
  end_datetime: UTC,
  created: UTC,
  updated: UTC,
  platform: stac('a text', isString),
  instruments: stac('a list of texts', listOf(isString)),
  constellation: stac('a text', isString),
  mission: stac('a text', isString),
  gsd: stac('metres above 0', (value) => isNumber(value) && Number(value) > 0),
  license: stac('an SPDX identifier, or other', matches(/^[\w\-.+]+$/), 'write e.g. CC-BY-4.0'),
  providers: stac(
    'a list of {name, roles?, url?, description?}',
    listOf(isProvider),
    'roles: producer, licensor, processor, host; url absolute',
  ),
  data_type: stac('a data type of STAC 1.1', oneOf(...DATA_TYPES), 'write e.g. uint8'),
  nodata: stac('a number, or nan, inf, -inf as text', (value) => isNumber(value) || oneOf('nan', 'inf', '-inf')(value)),
  statistics: {
    ...stac('numbers: minimum, maximum, mean, stddev, count, valid_percent; minimum not above maximum', isStatistics),
    schema: hasStatistics,
  },
  unit: stac('a text', isString),
};

/** Rules for elements of list fields in the common metadata. */
export const COMMON_ELEMENTS: Readonly<Record<string, Elements>> = {
  keywords: { test: isString },
  roles: { test: isString },
  instruments: { test: isString },
  providers: { test: isProvider },
};
