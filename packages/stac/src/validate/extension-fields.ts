import { EXTENSIONS, type ExtensionName } from '../extensions.ts';
import { isUtcText, isRfc3339UtcText } from '../instant.ts';
import { isList, isObject, isText } from '../json.ts';
import { isMultihash } from '../multihash.ts';
import { DEPTH, isOwnBbox, LEAST } from './geometry.ts';
import { isProjjson } from './projjson.ts';
import {
  isBoolean,
  isCount,
  isInteger,
  isNumber,
  isPercentage,
  isString,
  isUnique,
  listOf,
  matches,
  numbers,
  oneOf,
  orNull,
  shape,
  type Test,
} from './checks.ts';
import { DEFAULT_FIX, type Elements, type FieldRule } from './common-metadata.ts';

type Rules = Readonly<Record<string, Omit<FieldRule, 'rule'>>>;

function rulesOf(
  extension: ExtensionName,
  rows: Readonly<Record<string, readonly [expected: string, test: Test, fix?: string, schema?: Test]>>,
): Rules {
  return Object.fromEntries(
    Object.entries(rows).map(([key, [expected, test, fix = DEFAULT_FIX, schema]]) => [
      key,
      { source: EXTENSIONS[extension], expected, test, fix, ...(schema === undefined ? {} : { schema }) },
    ]),
  );
}

const isClassName = matches(/^[0-9A-Za-z_-]+$/);
const isClass = shape(
  {
    value: isInteger,
    name: isClassName,
    title: isString,
    description: isString,
    color_hint: matches(/^[0-9A-Fa-f]{6}$/),
    nodata: isBoolean,
    percentage: isPercentage,
    count: isCount,
  },
  ['value', 'name'],
);
const listsClasses: Test = (value) => isList(value) && value.length > 0 && value.every(isClass) && isUnique(value);
const isClassList: Test = (value) =>
  isList(value) &&
  value.length > 0 &&
  value.every(isClass) &&
  isUnique(value.map((each) => (isObject(each) ? each['value'] : each)));

const bitFieldOf = (classes: Test): Test =>
  shape(
    {
      offset: isCount,
      length: (value) => isInteger(value) && Number(value) >= 1,
      classes,
      roles: (value) => isList(value) && value.length > 0 && value.every(isString) && isUnique(value),
      description: isString,
      name: isClassName,
    },
    ['offset', 'length', 'classes'],
  );
const bitFieldsOf = (classes: Test): Test => {
  const isBitField = bitFieldOf(classes);
  return (value) => isList(value) && value.length > 0 && value.every(isBitField) && isUnique(value);
};

const isHistogram: Test = (value) =>
  isObject(value) &&
  Object.keys(value).every((key) => ['count', 'min', 'max', 'buckets'].includes(key)) &&
  shape(
    {
      count: isNumber,
      min: isNumber,
      max: isNumber,
      buckets: (buckets) => isList(buckets) && buckets.length >= 3 && buckets.every(isInteger),
    },
    ['count', 'min', 'max', 'buckets'],
  )(value);

const isColumn = shape({ name: isText, type: isText, description: isText }, ['name', 'type', 'description']);
const isColumnList: Test = (value) =>
  isList(value) &&
  value.length > 0 &&
  value.every(isColumn) &&
  isUnique(value.map((column) => (isObject(column) ? column['name'] : column)));

const isFileValue = shape(
  { values: (value) => isList(value) && value.length > 0, summary: (value) => isString(value) && value !== '' },
  ['values', 'summary'],
);
/** True for coordinates with the right nesting. Any numbers are allowed, because their range depends on the CRS. */
const isNested = (value: unknown, depth: number, least: number): boolean =>
  isList(value) &&
  (depth === 0
    ? value.length >= 2 && value.every(isNumber)
    : (depth > 1 || value.length >= least) && value.every((child) => isNested(child, depth - 1, least)));
const isGeometryObject: Test = (value) => {
  if (!isObject(value) || !isText(value['type']) || !Object.hasOwn(DEPTH, value['type'])) return false;
  const { type, coordinates, bbox } = value;
  return isOwnBbox(bbox) && isNested(coordinates, DEPTH[type] ?? 0, LEAST[type] ?? 0);
};
const inRange =
  (limit: number): Test =>
  (value) =>
    isNumber(value) && Math.abs(Number(value)) <= limit;

/** Rules for elements of list fields. Findings point to the element, not to the list. */
export const EXTENSION_ELEMENTS: Readonly<Record<string, Elements>> = {
  'table:columns': { test: isColumn, key: 'name' },
  'table:tables': { test: shape({ name: isString, description: isString }, ['name']) },
  'classification:classes': { test: isClass, key: 'value' },
  'classification:bitfields': { test: bitFieldOf(isClassList) },
  'file:values': { test: isFileValue },
};

/** Fields of the supported extensions. `expected` also describes stricter rules of this package. */
export const EXTENSION_FIELDS: Readonly<Record<ExtensionName, Rules>> = {
  table: rulesOf('table', {
    'table:columns': [
      'one {name, type, description} per column, each name once',
      isColumnList,
      'list every output field once, each with all three texts',
      listOf(shape({ name: isString, type: isString, description: isString }, ['name'])),
    ],
    'table:row_count': ['a whole number from 0', isCount, 'write the number of features', isNumber],
    'table:primary_geometry': ['a column name', isText, DEFAULT_FIX, isString],
    'table:storage_options': ['an object', isObject],
    'table:tables': [
      'a list of {name, description}',
      listOf(shape({ name: isString, description: isString }, ['name'])),
    ],
  }),
  projection: rulesOf('projection', {
    'proj:code': [
      'AUTHORITY:CODE, or null',
      orNull(matches(/^[A-Za-z][A-Za-z0-9_.-]*:[A-Za-z0-9_.-]+$/)),
      'write e.g. EPSG:4326',
      orNull(isString),
    ],
    'proj:wkt2': ['WKT2 text, or null', orNull(isString)],
    'proj:projjson': [
      'an object of PROJJSON 0.7 with exactly the members of its type, or null',
      orNull(isProjjson),
      'write the output of projinfo -o PROJJSON, or leave the field out',
    ],
    'proj:geometry': ['a GeoJSON geometry in the given CRS', isGeometryObject],
    'proj:bbox': ['4 or 6 numbers', numbers(4, 6)],
    'proj:centroid': ['{lat, lon} in degrees', shape({ lat: inRange(90), lon: inRange(180) }, ['lat', 'lon'])],
    'proj:shape': [
      '[rows, columns], whole numbers above 0',
      (value) => isList(value) && value.length === 2 && value.every((side) => isInteger(side) && Number(side) > 0),
      DEFAULT_FIX,
      (value) => isList(value) && value.length === 2 && value.every(isInteger),
    ],
    'proj:transform': ['6 or 9 numbers', numbers(6, 9), 'write [pixelWidth, 0, west, 0, -pixelHeight, north]'],
  }),
  raster: rulesOf('raster', {
    'raster:bits_per_sample': ['a whole number', isInteger],
    'raster:sampling': ['area or point', oneOf('area', 'point')],
    'raster:scale': ['a number', isNumber],
    'raster:offset': ['a number', isNumber],
    'raster:spatial_resolution': ['a number of metres', isNumber],
    'raster:histogram': ['{count, min, max, buckets}', isHistogram],
  }),
  classification: rulesOf('classification', {
    'classification:classes': [
      'classes {value, name, ..}, each value once',
      isClassList,
      'name: letters, digits, - and _; color_hint: RRGGBB without #; value: whole number',
      listsClasses,
    ],
    'classification:bitfields': [
      'a list of bit fields',
      bitFieldsOf(isClassList),
      DEFAULT_FIX,
      bitFieldsOf(listsClasses),
    ],
  }),
  file: rulesOf('file', {
    'file:byte_order': ['big-endian or little-endian', oneOf('big-endian', 'little-endian')],
    'file:checksum': [
      'a multihash in lower-case hex',
      isMultihash,
      'for sha-256 write 1220 before the 64 digits',
      matches(/^[a-f0-9]+$/),
    ],
    'file:header_size': ['whole bytes from 0', isCount],
    'file:size': ['whole bytes from 0', isCount],
    'file:values': [
      'a list of {values, summary}',
      (value) => isList(value) && value.length > 0 && value.every(isFileValue),
    ],
    'file:local_path': ['a relative path with /', matches(/^[^\r\n\t\\:'"/]+(\/[^\r\n\t\\:'"/]+)*\/?$/)],
  }),
  processing: rulesOf('processing', {
    'processing:expression': ['{format, expression}', shape({ format: isString }, ['format', 'expression'])],
    'processing:lineage': ['a text', isString],
    'processing:level': ['a text', isString],
    'processing:facility': ['a text', isString],
    'processing:version': ['a text', isString],
    'processing:datetime': [
      'RFC 3339 time in UTC',
      isUtcText,
      'convert to UTC, write it as 2024-07-01T00:00:00Z',
      isRfc3339UtcText,
    ],
    'processing:software': [
      'program name -> version text',
      (value) => isObject(value) && Object.entries(value).every(([name, version]) => name === '' || isString(version)),
    ],
  }),
  alternate: rulesOf('alternate', {
    'alternate:name': ['a text that is not empty', isText],
  }),
  version: rulesOf('version', {
    version: ['a text', isString],
    deprecated: ['true or false', isBoolean],
    experimental: ['true or false', isBoolean],
  }),
  webMapLinks: rulesOf('webMapLinks', {
    'wms:layers': [
      'names of layers, at least one',
      (value) => isList(value) && value.length > 0 && value.every(isText),
    ],
    'wms:styles': ['names of styles', listOf(isText)],
    'wms:dimensions': [
      'name of a dimension -> text',
      (value) => isObject(value) && Object.values(value).every(isString),
    ],
    'wms:transparent': ['true or false', isBoolean],
  }),
};
