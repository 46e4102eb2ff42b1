import type { Cql2ComparisonOperator, Cql2Expression, Cql2Scalar } from '@headwater/cql2';
import type { MapColumn } from '@headwater/core/ports';
import { lonLatBox, type NamedCrs, readCrs } from '../protocol/crs.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { childOf, childrenOf, readXml, type XmlElement } from '../protocol/read-xml.ts';
import type { FilterContext } from './ecql.ts';
import {
  columnNamed,
  demandComparable,
  demandText,
  type FeatureFilter,
  GEOMETRY,
  ID_NAME,
  literalFor,
} from './feature-filter.ts';

const LONGEST = 64 * 1024;
const DEEPEST = 20;

/** Context of a filter in XML, whose names may be encoded (`xmlName`). */
export interface FesContext extends FilterContext {
  /** Converts an XML name to a column name. */
  readonly fromXmlName: (name: string) => string;
}

const COMPARISONS: Readonly<Record<string, Cql2ComparisonOperator>> = {
  PropertyIsEqualTo: '=',
  PropertyIsNotEqualTo: '<>',
  PropertyIsLessThan: '<',
  PropertyIsGreaterThan: '>',
  PropertyIsLessThanOrEqualTo: '<=',
  PropertyIsGreaterThanOrEqualTo: '>=',
};

/** Elements with the id of a feature, and their attribute. Each version of the standard has its own element. */
const IDS: Readonly<Record<string, string>> = { FeatureId: 'fid', GmlObjectId: 'id', ResourceId: 'rid' };

/** Names of the comparison operators that capabilities list. */
export const FES_COMPARISONS: readonly string[] = [
  ...Object.keys(COMPARISONS),
  'PropertyIsLike',
  'PropertyIsNull',
  'PropertyIsBetween',
];

/**
 * Reads an XML filter (Filter Encoding 1.0, 1.1, 2.0): BBOX, comparisons, ids, And, Or, Not. Throws 400 for everything
 * else, such as a `<!DOCTYPE>`.
 */
export function parseFes(text: string, context: FesContext): FeatureFilter {
  const { parameter } = context;
  if (text.length > LONGEST)
    throw fault(parameter, `the filter has ${text.length} characters`, `send at most ${LONGEST}`);
  let root: XmlElement;
  try {
    // Parentheses around the filter are removed: requests for several layers have each filter in parentheses.
    root = readXml(text.trim().replace(/^\(([^]*)\)$/, '$1'));
  } catch (error) {
    throw fault(parameter, error instanceof Error ? error.message : 'it is not XML', 'send an XML filter');
  }
  if (root.name !== 'Filter')
    throw fault(parameter, `the element ${shown(root)} is not a Filter`, 'send <Filter>…</Filter>');
  return filterOf(root, context);
}

/** Converts an element `Filter`. Throws the errors of `parseFes`. */
export function filterOf(root: XmlElement, context: FesContext): FeatureFilter {
  const { parameter } = context;
  const [first, ...more] = root.children;
  if (first === undefined) throw fault(parameter, 'the filter is empty', 'put a condition into it');
  if (Object.hasOwn(IDS, first.name)) return { tree: idsOf(root.children, parameter), tests: [] };
  if (more.length > 0) throw fault(parameter, 'the filter has several conditions', 'join them by And or Or');
  return { tree: condition(first, context, 1), tests: [] };
}

/** Condition on the id of a feature. */
export function idCondition(ids: readonly string[]): Cql2Expression {
  return { op: 'in', args: [{ property: ID_NAME }, ids] };
}

function idsOf(elements: readonly XmlElement[], parameter: string): Cql2Expression {
  const ids = elements.map((each) => {
    const attribute = Object.hasOwn(IDS, each.name) ? IDS[each.name] : undefined;
    const id = attribute === undefined ? undefined : each.attributes[attribute];
    if (id === undefined)
      throw fault(parameter, `${shown(each)} is not an id of a feature`, 'send only ids, or one condition');
    return id;
  });
  return idCondition(ids);
}

function condition(element: XmlElement, context: FesContext, depth: number): Cql2Expression {
  const { parameter } = context;
  const { name, children } = element;
  if (depth > DEEPEST)
    throw fault(parameter, `the filter is nested more than ${DEEPEST} levels deep`, 'make it flatter');
  if (name === 'And' || name === 'Or') {
    if (children.length < 2)
      throw fault(parameter, `${name} has fewer than two conditions (${children.length})`, 'send two or more');
    const op = name === 'And' ? 'and' : 'or';
    return { op, args: children.map((child) => condition(child, context, depth + 1)) };
  }
  if (name === 'Not') return { op: 'not', args: [condition(only(element, parameter), context, depth + 1)] };
  if (name === 'BBOX') return boxCondition(element, context);
  if (Object.hasOwn(IDS, name)) return idsOf([element], parameter);
  return comparison(element, context);
}

function only(element: XmlElement, parameter: string): XmlElement {
  const [child, more] = element.children;
  if (child !== undefined && more === undefined) return child;
  throw fault(parameter, `${shown(element)} has ${element.children.length} conditions`, 'send one');
}

function comparison(element: XmlElement, context: FesContext): Cql2Expression {
  const { name } = element;
  const op = Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined;
  if (op !== undefined) return operands(element, context, op);
  const column = (): MapColumn => columnOf(element.children[0], context);
  if (name === 'PropertyIsNull' || name === 'PropertyIsNil') return { op: 'isNull', args: [propertyOf(column())] };
  if (name === 'PropertyIsLike') return like(element, column(), context);
  if (name === 'PropertyIsBetween') {
    const of = column();
    const bound = (side: string): Cql2Scalar => {
      const boundary = childOf(element, side);
      return literalOf(boundary?.children[0] ?? boundary, of, context);
    };
    return { op: 'between', args: [propertyOf(of), bound('LowerBoundary'), bound('UpperBoundary')] };
  }
  const offered = ['BBOX', 'And', 'Or', 'Not', ...FES_COMPARISONS].join(', ');
  throw fault(context.parameter, `${shown(element)} is not offered`, `use ${offered}`);
}

function operands(element: XmlElement, context: FesContext, op: Cql2ComparisonOperator): Cql2Expression {
  const { parameter } = context;
  const [left, right, more] = element.children;
  if (left === undefined || right === undefined || more !== undefined)
    throw fault(
      parameter,
      `the number of operands of ${shown(element)} is ${element.children.length}`,
      'send a column and a value',
    );
  const { matchCase } = element.attributes;
  const isFolded = matchCase !== undefined && /^(?:false|0)$/i.test(matchCase.trim());
  const [first, second] = isName(left)
    ? [columnOf(left, context), isName(right) ? columnOf(right, context) : undefined]
    : [columnOf(right, context), undefined];
  if (second !== undefined) demandComparable(first, second, parameter);
  const other: Cql2Scalar =
    second === undefined ? literalOf(isName(left) ? right : left, first, context) : propertyOf(second);
  const [a, b]: readonly [Cql2Scalar, Cql2Scalar] = isName(left)
    ? [propertyOf(first), other]
    : [other, propertyOf(first)];
  return { op, args: isFolded && first.type === 'string' ? [folded(a), folded(b)] : [a, b] };
}

function folded(value: Cql2Scalar): Cql2Scalar {
  if (typeof value === 'string') return { op: 'casei', args: [value] };
  return typeof value === 'object' && 'property' in value ? { op: 'casei', args: [value] } : value;
}

/** Converts `PropertyIsLike`. Wild cards become those of CQL2; other characters are literal. */
function like(element: XmlElement, column: MapColumn, { parameter }: FesContext): Cql2Expression {
  const { attributes } = element;
  demandText(column, parameter);
  const literal = childOf(element, 'Literal');
  if (literal === undefined) throw fault(parameter, 'PropertyIsLike has no Literal', 'send a pattern');
  const wild = attributes['wildCard'] ?? '*';
  const single = attributes['singleChar'] ?? '.';
  const escape = attributes['escapeChar'] ?? attributes['escape'] ?? '\\';
  let pattern = '';
  const characters = [...literal.text];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === escape && at + 1 < characters.length) pattern += quoted(characters[(at += 1)] ?? '');
    else if (character === wild) pattern += '%';
    else pattern += character === single ? '_' : quoted(character);
  }
  const matchCase = attributes['matchCase'] ?? 'true';
  const property = { property: column.name };
  if (!/^(?:false|0)$/i.test(matchCase)) return { op: 'like', args: [property, pattern] };
  return {
    op: 'like',
    args: [
      { op: 'casei', args: [property] },
      { op: 'casei', args: [pattern] },
    ],
  };
}

const quoted = (character: string): string => (/[%_\\]/.test(character) ? `\\${character}` : character);

const isName = ({ name }: XmlElement): boolean => name === 'PropertyName' || name === 'ValueReference';

/**
 * Column of a property name: its exact name, or its name as in GML (encoded, with or without a prefix). Paths are
 * refused.
 */
function columnOf(element: XmlElement | undefined, context: FesContext): MapColumn {
  const { columns, parameter, fromXmlName } = context;
  if (element === undefined || !isName(element))
    throw fault(
      parameter,
      `${element === undefined ? 'nothing' : shown(element)} is not a column`,
      'send PropertyName or ValueReference',
    );
  const text = element.text;
  const names = [text, fromXmlName(text), fromXmlName(text.slice(text.indexOf(':') + 1))];
  const found = names.map((name) => columns.find((column) => column.name === name)).find((each) => each !== undefined);
  return found ?? columnNamed(columns, text, parameter);
}

const propertyOf = ({ name }: MapColumn): { readonly property: string } => ({ property: name });

function literalOf(
  element: XmlElement | undefined,
  column: MapColumn,
  { parameter }: FesContext,
): string | number | boolean {
  if (element === undefined || element.children.length > 0)
    throw fault(parameter, `the column ${column.name} is compared with nothing`, 'send a Literal');
  if (element.name !== 'Literal' && !element.name.endsWith('Boundary'))
    throw fault(
      parameter,
      `${shown(element)} is not a value`,
      'send a Literal; functions and calculations are not offered',
    );
  return literalFor(column, element.text, parameter);
}

function boxCondition(element: XmlElement, context: FesContext): Cql2Expression {
  const { parameter, geometryName, fromXmlName } = context;
  const reference = element.children.find(isName);
  if (reference !== undefined) {
    const name = fromXmlName(reference.text.slice(reference.text.indexOf(':') + 1));
    if (name !== geometryName && name !== '')
      throw fault(parameter, `${JSON.stringify(name.slice(0, 60))} is not the geometry`, `use ${geometryName}`);
  }
  const shape = element.children.find((child) => !isName(child));
  if (shape === undefined) throw fault(parameter, 'BBOX has no box', 'send gml:Box or gml:Envelope');
  const { srsName } = shape.attributes;
  const crs: NamedCrs = srsName === undefined ? context.crs : readCrs(srsName, parameter);
  const bbox = lonLatBox(cornersOf(shape, parameter), crs, parameter);
  return { op: 's_intersects', args: [GEOMETRY, { bbox }] };
}

/** Corners of gml:Envelope (lowerCorner and upperCorner) or gml:Box (`x,y x,y`, or two gml:coord). */
function cornersOf(shape: XmlElement, parameter: string): readonly [number, number, number, number] {
  const coordinates = childOf(shape, 'coordinates');
  const separator = coordinates?.attributes['cs'] ?? ',';
  const corners = ['lowerCorner', 'upperCorner'].map((name) => childOf(shape, name)?.text);
  const coords = childrenOf(shape, 'coord').flatMap((coord) => [childOf(coord, 'X')?.text, childOf(coord, 'Y')?.text]);
  const texts =
    coordinates !== undefined
      ? coordinates.text.split(/\s+/).flatMap((position) => position.split(separator))
      : coords.length > 0
        ? coords
        : corners.flatMap((corner) => corner?.split(/\s+/));
  const [a, b, c, d] = texts.map((text) => (text === undefined || text === '' ? NaN : Number(text)));
  if (texts.length === 4 && a !== undefined && b !== undefined && c !== undefined && d !== undefined) {
    if ([a, b, c, d].every(Number.isFinite)) return [a, b, c, d];
  }
  throw fault(parameter, `${shown(shape)} is not a box of four numbers`, 'send gml:Box or gml:Envelope');
}

const shown = ({ name }: XmlElement): string => `<${name.slice(0, 60)}>`;

function fault(parameter: string, problem: string, remedy: string): Error {
  return ogcError('InvalidParameterValue', parameter, `${parameter}: ${problem}; ${remedy}`);
}
