import { type Cql2Arithmetic, type Cql2Fold, type Cql2Scalar, isArithmetic } from '../model/expression.ts';
import { ACCENTS, type CaseTable, caseTable, fold, SHARP_S } from '../semantics/fold.ts';
import { LARGEST_OPERAND, SMALLEST_OPERAND } from '../semantics/numbers.ts';
import { literalKey } from '../semantics/temporal.ts';
import { instantSql, nullSql, type Operand, operandAs, withValue } from './operand.ts';
import type { Cql2SqlTarget } from './operand.ts';

const NOTHING: Operand = { sql: 'NULL', kind: 'nothing' };

export function scalarSql(scalar: Cql2Scalar, target: Cql2SqlTarget): Operand {
  if (typeof scalar === 'string') return textLiteral(scalar, target);
  if (typeof scalar === 'number') return { sql: `${target.param(scalar)}::float8`, kind: 'number' };
  if (typeof scalar === 'boolean') return { sql: `${target.param(scalar)}::boolean`, kind: 'boolean' };
  if ('property' in scalar) return target.queryable(scalar.property) ?? NOTHING;
  if ('timestamp' in scalar || 'date' in scalar)
    return { sql: instantSql(literalKey(scalar), target), kind: 'timestamp' };
  return isArithmetic(scalar) ? calculationSql(scalar, target) : foldSql(scalar, target);
}

function textLiteral(literal: string, { param }: Cql2SqlTarget): Operand {
  let sql: string | undefined;
  return {
    kind: 'text',
    literal,
    get sql() {
      sql ??= `${param(literal)}::text`;
      return sql;
    },
  };
}

function foldSql({ op, args }: Cql2Fold, target: Cql2SqlTarget): Operand {
  const inner = scalarSql(args[0], target);
  if (inner.literal !== undefined) return textLiteral(fold(op, inner.literal), target);
  const text = operandAs('text', inner, target);
  if (text === undefined) return { sql: nullSql('text', [inner.sql]), kind: 'text', isLarge: true };
  if (op === 'accenti') {
    const bare = `regexp_replace(normalize(${text}, NFD), '${ACCENTS}', '', 'g')`;
    return { sql: `normalize(${bare}, NFC)`, kind: 'text', isLarge: true };
  }
  const sql = withValue({ sql: text, kind: 'text', isLarge: true }, (value) => caseFoldSql(value.sql, target));
  return { sql, kind: 'text', isLarge: true };
}

/** SQL of `casei`. Texts in plain ASCII are the most frequent, so the faster `lower` folds them; `translate` folds all others. */
function caseFoldSql(text: string, target: Cql2SqlTarget): string {
  const { from, to } = tableSql(target);
  const singles = SHARP_S.reduce((whole, letter) => `replace(${whole}, '${letter}', 'ss')`, text);
  return (
    `CASE WHEN octet_length(${text}) = char_length(${text}) THEN lower(${text} COLLATE "C") ` +
    `ELSE translate(${singles}, ${from}, ${to}) END`
  );
}

/** Placeholders of the letter table of `casei`, by statement. */
const TABLES = new WeakMap<Cql2SqlTarget, CaseTable>();

function tableSql(target: Cql2SqlTarget): CaseTable {
  const known = TABLES.get(target);
  if (known !== undefined) return known;
  const { from, to } = caseTable();
  const table = { from: `${target.param(from)}::text`, to: `${target.param(to)}::text` };
  TABLES.set(target, table);
  return table;
}

/** SQL of an arithmetic operation. Computes each operand once and checks it against the bounds of `calculate`. */
function calculationSql({ op, args }: Cql2Arithmetic, target: Cql2SqlTarget): Operand {
  const [left, right] = [scalarSql(args[0], target), scalarSql(args[1], target)];
  const [a, b] = [operandAs('number', left, target), operandAs('number', right, target)];
  if (a === undefined || b === undefined)
    return { sql: nullSql('float8', [left.sql, right.sql]), kind: 'number', isLarge: true };
  const guards = [isOperand('cql2_left'), isOperand('cql2_right'), ...(op === '/' ? ['cql2_right <> 0'] : [])];
  const sql =
    `(SELECT CASE WHEN ${guards.join(' AND ')} THEN cql2_left ${op} cql2_right END ` +
    `FROM (SELECT ${a} AS cql2_left, ${b} AS cql2_right OFFSET 0) AS cql2_row)`;
  return { sql, kind: 'number', isLarge: true };
}

function isOperand(name: string): string {
  return `(${name} = 0 OR abs(${name}) BETWEEN ${SMALLEST_OPERAND}::float8 AND ${LARGEST_OPERAND}::float8)`;
}
