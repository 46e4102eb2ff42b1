import type { Cql2ComparisonOperator } from '../model/expression.ts';
import { instantKey } from '../model/instant.ts';
import { type CommonKind, type Operand, nullSql, operandAs, withValue } from './operand.ts';
import type { Cql2SqlTarget } from './operand.ts';

/**
 * Comparison of two values as SQL; unknown for different types. Text that is compared with an instant is read as an
 * instant.
 */
export function comparisonSql(
  op: Cql2ComparisonOperator,
  sides: readonly [Operand, Operand],
  target: Cql2SqlTarget,
): string {
  const [left, right] = sides;
  if (isInstantText(left) && mayBeInstantText(right))
    return withValue(right, (value) => instantTextSql(op, { left, right: value, target }));
  if (isInstantText(right) && mayBeInstantText(left))
    return withValue(left, (value) => instantTextSql(op, { left: value, right, target }));
  if (left.kind === 'json' && right.kind === 'json') {
    const each = (['number', 'text', 'boolean'] as const).map((kind) => comparedAs(kind, op, { left, right, target }));
    return `COALESCE(${each.join(', ')})`;
  }
  const kind = commonKind(left, right);
  return kind === undefined ? nullSql('boolean', [left.sql, right.sql]) : comparedAs(kind, op, { left, right, target });
}

interface Compared {
  readonly left: Operand;
  readonly right: Operand;
  readonly target: Cql2SqlTarget;
}

/**
 * True for a text literal that is a timestamp. A day needs no conversion: as text, it already sorts before all
 * timestamps of that day.
 */
function isInstantText({ literal }: Operand): boolean {
  return literal !== undefined && instantKey(literal, 'timestamp') !== undefined;
}

function mayBeInstantText({ kind, literal }: Operand): boolean {
  return literal === undefined && (kind === 'json' || kind === 'text');
}

/** Compares as instants if the value of the row is an instant, otherwise as texts. */
function instantTextSql(op: Cql2ComparisonOperator, sides: Compared): string {
  return `COALESCE(${comparedAs('timestamp', op, sides)}, ${comparedAs('text', op, sides)})`;
}

function comparedAs(kind: CommonKind, op: Cql2ComparisonOperator, { left, right, target }: Compared): string {
  const [a, b] = [operandAs(kind, left, target), operandAs(kind, right, target)];
  if (a === undefined || b === undefined) return nullSql('boolean', [left.sql, right.sql]);
  const isOrdered = kind === 'text' && op !== '=' && op !== '<>';
  return isOrdered ? `((${a}) COLLATE "C" ${op} (${b}) COLLATE "C")` : `((${a}) ${op} (${b}))`;
}

const INSTANT_LIKE: readonly Operand['kind'][] = ['timestamp', 'text', 'json'];

function commonKind(left: Operand, right: Operand): CommonKind | undefined {
  const kinds = [left.kind, right.kind];
  if (kinds.includes('timestamp')) return kinds.every((kind) => INSTANT_LIKE.includes(kind)) ? 'timestamp' : undefined;
  const [kind, ...others] = new Set(kinds.filter((each) => each !== 'json'));
  return others.length === 0 && (kind === 'text' || kind === 'number' || kind === 'boolean') ? kind : undefined;
}

/** SQL of `in`. Literals of one type form a list, for which PostgreSQL can use an index. */
export function listSql(value: Operand, list: readonly ListItem[], target: Cql2SqlTarget): string {
  return withValue(value, (one) => {
    const kinds = new Map<CommonKind, ListItem[]>();
    const conditions: string[] = [];
    const isInstantItem = ({ isLiteral, operand }: ListItem): boolean =>
      isLiteral && isInstantText(operand) && mayBeInstantText(one);
    const instants = list.filter(isInstantItem);
    if (instants.length > 0) conditions.push(anyInstant({ one, items: instants, target }));
    for (const item of list.filter((each) => !isInstantItem(each))) {
      const kind = item.isLiteral ? commonKind(one, item.operand) : undefined;
      if (kind === undefined) conditions.push(comparisonSql('=', [one, item.operand], target));
      else {
        const alike = kinds.get(kind) ?? [];
        alike.push(item);
        kinds.set(kind, alike);
      }
    }
    for (const [kind, items] of kinds) conditions.push(anyOf(kind, { one, items, target }));
    return `(${conditions.join(' OR ')})`;
  });
}

export interface ListItem {
  readonly operand: Operand;
  readonly isLiteral: boolean;
}

const ARRAYS = { text: 'text[]', number: 'float8[]', boolean: 'boolean[]', timestamp: 'timestamptz[]' } as const;

interface Listed {
  readonly one: Operand;
  readonly items: readonly ListItem[];
  readonly target: Cql2SqlTarget;
}

function anyInstant(listed: Listed): string {
  return `COALESCE(${anyOf('timestamp', listed)}, ${anyOf('text', listed)})`;
}

function anyOf(kind: CommonKind, { one, items, target }: Listed): string {
  const value = operandAs(kind, one, target);
  if (value === undefined) return nullSql('boolean', [one.sql, ...items.map(({ operand }) => operand.sql)]);
  const each = items.map(({ operand }) => operandAs(kind, operand, target) ?? 'NULL');
  return `((${value}) = ANY(ARRAY[${each.join(', ')}]::${ARRAYS[kind]}))`;
}
