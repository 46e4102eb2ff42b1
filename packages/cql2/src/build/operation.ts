import {
  ARITHMETIC,
  COMPARISONS,
  COSTLY_OPERATORS,
  type Cql2Expression,
  SPATIAL_OPERATORS,
  TEMPORAL_OPERATORS,
} from '../model/expression.ts';
import type { Budget } from '../model/budget.ts';
import { type Place, quoted } from '../model/place.ts';
import {
  asCondition,
  asGeometry,
  asNumber,
  asPattern,
  asScalar,
  asTemporal,
  asText,
  isLiteralText,
  type Part,
  type PartValue,
} from './part.ts';

const UNSUPPORTED_OPERATORS =
  /^(s_(contains|crosses|equals|overlaps|touches|within)|a_(containedby|contains|equals|overlaps)|\^|%|div)$/i;

/** Place in the filter that is being read, and the counter for the limits of the filter. */
export interface ParseContext {
  readonly place: Place;
  readonly budget: Budget;
}

/** Builds a checked operation. `op` is spelled as in CQL2-JSON. */
export function operation(op: string, parts: readonly Part[], { place, budget }: ParseContext): Part {
  const height = 1 + Math.max(0, ...parts.map((part) => part.height));
  budget.node(place);
  if (isCostly(op, parts)) budget.costly(place);
  budget.depth(height, place);
  return { ...partValue(op, parts, place), place, height };
}

/** Builds a part without operators. Literals count less towards the limits. */
export function leaf(value: PartValue, { place, budget }: ParseContext): Part {
  const { kind } = value;
  if (kind === 'property' || kind === 'geometry' || kind === 'interval') budget.node(place);
  else budget.literal(place);
  return { ...value, place, height: 0 };
}

// True if the limit `costly` counts the operator. A folded literal is cheap, because it is folded once and not for each
// item.
function isCostly(op: string, [first]: readonly Part[]): boolean {
  const isFold = op === 'casei' || op === 'accenti';
  return COSTLY_OPERATORS.includes(op) && !(isFold && first !== undefined && isLiteralText(first));
}

function partValue(op: string, parts: readonly Part[], place: Place): PartValue {
  if (op === '+' || op === '-' || op === '*' || op === '/') {
    const [left, right] = two(op, parts, place);
    return { kind: 'calculation', value: { op, args: [asNumber(left), asNumber(right)] } };
  }
  if (op === 'casei' || op === 'accenti') {
    const [inner] = one(op, parts, place);
    return { kind: 'text in CASEI or ACCENTI', value: { op, args: [asText(inner)] } };
  }
  const value = condition(op, parts, place);
  if (value !== undefined) return { kind: 'condition', value };
  throw place.error(unknownOperator(op));
}

function condition(op: string, parts: readonly Part[], place: Place): Exclude<Cql2Expression, boolean> | undefined {
  if (op === 'and' || op === 'or') return { op, args: several(op, parts, place).map(asCondition) };
  if (op === 'not') return { op, args: [asCondition(one(op, parts, place)[0])] };
  if (op === 'isNull') return { op, args: [asScalar(one(op, parts, place)[0])] };
  if (op === 'between') return between(parts, place);
  if (op === 'in') return within(parts, place);
  if (op === 'like') {
    const [text, pattern] = two(op, parts, place);
    return { op, args: [asText(text), asPattern(pattern)] };
  }
  const comparison = COMPARISONS.find((known) => known === op);
  if (comparison !== undefined) {
    const [left, right] = two(op, parts, place);
    return { op: comparison, args: [asScalar(left), asScalar(right)] };
  }
  const temporal = TEMPORAL_OPERATORS.find((known) => known === op);
  if (temporal !== undefined) {
    const [left, right] = two(op, parts, place);
    return { op: temporal, args: [asTemporal(left), asTemporal(right)] };
  }
  const spatial = SPATIAL_OPERATORS.find((known) => known === op);
  if (spatial === undefined) return undefined;
  const [left, right] = two(op, parts, place);
  return { op: spatial, args: [asGeometry(left), asGeometry(right)] };
}

/** Builds `between`. The bounds may also be a list, as in drafts of the standard. */
function between(parts: readonly Part[], place: Place): Exclude<Cql2Expression, boolean> {
  const [first, second] = parts;
  const flat = parts.length === 2 && first !== undefined && second?.kind === 'list' ? [first, ...second.value] : parts;
  const [value, low, high] = flat;
  if (flat.length !== 3 || value === undefined || low === undefined || high === undefined)
    throw place.error(count('between', flat.length, 'three arguments: a value, its lower and its upper bound'));
  return { op: 'between', args: [asScalar(value), asScalar(low), asScalar(high)] };
}

function within(parts: readonly Part[], place: Place): Exclude<Cql2Expression, boolean> {
  const [value, list] = two('in', parts, place);
  if (list.kind !== 'list' || list.value.length === 0)
    throw list.place.error({
      found: list.kind === 'list' ? 'an empty list' : `a ${list.kind}`,
      expected: 'a list of one value or more',
      remedy: "Write the values in parentheses, such as IN ('a', 'b'); in JSON, as a list in the second argument.",
    });
  return { op: 'in', args: [asScalar(value), list.value.map(asScalar)] };
}

function one(op: string, parts: readonly Part[], place: Place): readonly [Part] {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return [first];
  throw place.error(count(op, parts.length, 'one argument'));
}

function two(op: string, parts: readonly Part[], place: Place): readonly [Part, Part] {
  const [first, second] = parts;
  if (parts.length === 2 && first !== undefined && second !== undefined) return [first, second];
  throw place.error(count(op, parts.length, 'two arguments'));
}

function several(op: string, parts: readonly Part[], place: Place): readonly Part[] {
  if (parts.length >= 2) return parts;
  throw place.error(count(op, parts.length, 'two or more conditions'));
}

function count(op: string, found: number, expected: string): { found: string; expected: string; remedy: string } {
  return {
    found: `${quoted(op)} with ${found} argument${found === 1 ? '' : 's'}`,
    expected,
    remedy: `Give the operator ${quoted(op)} ${expected}.`,
  };
}

function unknownOperator(op: string): {
  code: 'unsupported' | 'syntax';
  found: string;
  expected: string;
  remedy: string;
} {
  const supported = `and, or, not, ${COMPARISONS.join(', ')}, like, between, in, isNull, casei, accenti, ${ARITHMETIC.join(', ')}, ${SPATIAL_OPERATORS.join(', ')}, or one of ${TEMPORAL_OPERATORS.join(', ')}`;
  const isKnown = UNSUPPORTED_OPERATORS.test(op);
  return {
    code: 'unsupported',
    found: isKnown
      ? `the operator ${quoted(op)}, which is not supported here`
      : `the operator or function ${quoted(op)}`,
    expected: supported,
    remedy: isKnown
      ? 'Use another operator.'
      : 'Functions are not supported; check the spelling of the operator, including capital letters.',
  };
}
