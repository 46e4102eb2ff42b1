import {
  comparable,
  type CursorValue,
  isTimeProperty,
  sortable,
  SORTED_LETTERS,
  tieDirection,
} from '@headwater/core/search';
import { isStorable } from '@headwater/core/values';
import type { SortKey } from '@headwater/core/ports';
import { iso } from '../guards.ts';
import type { Parameters } from './conditions.ts';

/** A sort column, which is never null. */
interface Step {
  readonly sql: string;
  readonly direction: SortKey['direction'];
  /** Value of a cursor as a typed parameter. */
  readonly at: (value: CursorValue) => string;
}

/** An order as SQL. */
export interface OrderSql {
  readonly orderBy: string;
  /** The order for an outer query, whose inner query selects `selected`. */
  readonly orderAgain: string;
  /** Columns of the order (`o0`, `o1`) and key values for the cursor (`k0`, `k1`). */
  readonly selected: string;
  readonly after: (values: readonly CursorValue[]) => string;
}

const TIMES = { start_datetime: 'i.start_key', end_datetime: 'i.end_key', datetime: 'i.datetime_key' } as const;

/**
 * Converts sort keys of Items `i` to SQL. If all Items are in one Collection, the id of the Collection is not part of
 * the order.
 */
export function orderSql(keys: readonly SortKey[], { add }: Parameters, isOneCollection: boolean): OrderSql {
  const columns = keys.map((key) => keyColumns(key, add));
  const tie = tieDirection(keys);
  const ties = ['i.id', 'i.collection_id'].map((sql): Step => ({ sql, direction: tie, at: textAt(add) }));
  const steps = [...columns.map((each) => each.steps), ...ties.map((step) => [step])];
  const all = steps.flat().slice(0, isOneCollection ? -1 : undefined);
  return {
    orderBy: all.map(({ sql, direction }) => `${sql} ${direction}`).join(', '),
    orderAgain: all.map(({ direction }, index) => `o${index} ${direction}`).join(', '),
    selected: [
      ...all.map(({ sql }, index) => `${sql} as o${index}`),
      ...columns.map(({ value }, index) => `${value} as k${index}`),
    ].join(', '),
    after: (values) =>
      afterSql(steps.flatMap((each, index) => each.map((step) => placed(step, values[index] ?? null)))),
  };
}

/** Parses the value of a key that `OrderSql.selected` selected. */
export function keyValue(property: string, selected: unknown): CursorValue {
  if (isOwnColumn(property)) return comparable(selected);
  const value: unknown = typeof selected === 'string' ? JSON.parse(selected) : null;
  return sortable(value);
}

function isOwnColumn(property: string): boolean {
  return ['id', 'collection', 'version'].includes(property) || isTimeProperty(property);
}

interface KeyColumns {
  readonly steps: readonly Step[];
  readonly value: string;
}

function keyColumns({ property, direction }: SortKey, add: Parameters['add']): KeyColumns {
  const text = (sql: string): KeyColumns => ({ steps: [{ sql, direction, at: textAt(add) }], value: sql });
  if (property === 'id') return text('i.id');
  if (property === 'collection') return text('i.collection_id');
  if (property === 'version') {
    const at = (value: CursorValue): string => `${add(typeof value === 'number' ? value : 0)}::int`;
    return { steps: [{ sql: 'i.version', direction, at }], value: 'i.version' };
  }
  if (isTimeProperty(property)) {
    const column = TIMES[property];
    const at = (value: CursorValue): string => `${add(value ?? '-infinity')}::timestamptz`;
    return { steps: [{ sql: column, direction, at }], value: iso(`nullif(${column}, '-infinity')`) };
  }
  return propertyColumns({ property, direction }, add);
}

/**
 * Sorts by kind, number and text of the value. In ascending order: absent values, lists and objects first, then
 * numbers, then texts and booleans.
 */
function propertyColumns({ property, direction }: SortKey, add: Parameters['add']): KeyColumns {
  // No Item has a property whose name PostgreSQL cannot store.
  const value = isStorable(property) ? `(i.properties -> ${add(property)}::text)` : 'null::jsonb';
  const kind = `jsonb_typeof(${value})`;
  const rank = `case ${kind} when 'number' then 1 when 'string' then 2 when 'boolean' then 2 else 0 end`;
  const number = `case ${kind} when 'number' then (${value} #>> '{}')::numeric else 0 end`;
  const start = `left(${value} #>> '{}', ${SORTED_LETTERS})`;
  const text = `(case ${kind} when 'string' then ${start} when 'boolean' then ${value} #>> '{}' else '' end) collate "C"`;
  const rankAt = (at: CursorValue): string => `${add(typeof at === 'number' ? 1 : at === null ? 0 : 2)}::int`;
  const numberAt = (at: CursorValue): string => `${add(typeof at === 'number' ? at : 0)}::numeric`;
  const textOf = (at: CursorValue): string => `${add(typeof at === 'string' ? at : '')}::text`;
  return {
    steps: [
      { sql: rank, direction, at: rankAt },
      { sql: number, direction, at: numberAt },
      { sql: text, direction, at: textOf },
    ],
    // Only the beginning of a text is selected and sorted, because some texts have megabytes.
    value: `case ${kind} when 'string' then to_json(${start})::text else ${value}::text end`,
  };
}

const textAt =
  (add: Parameters['add']) =>
  (value: CursorValue): string =>
    `${add(typeof value === 'string' ? value : '')}::text`;

type Placed = Step & { readonly value: string };

function placed(step: Step, value: CursorValue): Placed {
  return { ...step, value: step.at(value) };
}

/**
 * Condition for rows after a cursor. Compares whole rows if all columns have the same direction, because this
 * comparison uses an index.
 */
function afterSql(steps: readonly Placed[]): string {
  const directions = new Set(steps.map(({ direction }) => direction));
  if (directions.size === 1) {
    const list = (parts: readonly string[]): string => `(${parts.join(', ')})`;
    const operator = directions.has('asc') ? '>' : '<';
    return `${list(steps.map(({ sql }) => sql))} ${operator} ${list(steps.map(({ value }) => value))}`;
  }
  const cases = steps.map(({ sql, value, direction }, index) => {
    const equal = steps.slice(0, index).map((step) => `${step.sql} = ${step.value}`);
    return `(${[...equal, `${sql} ${direction === 'asc' ? '>' : '<'} ${value}`].join(' and ')})`;
  });
  return `(${cases.join(' or ')})`;
}
