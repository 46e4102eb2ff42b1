import type { Measured } from './load.ts';
import type { Query } from './queries.ts';

/** Results of a query for one number of Items. */
export interface Row {
  readonly query: Query;
  readonly items: number;
  readonly ours: Measured;
  readonly peer?: Measured;
  /** Median of the plain SQL, ms. */
  readonly sqlP50?: number;
}

export interface Verdict {
  readonly name: string;
  readonly value: string;
  readonly bar: string;
  readonly pass: boolean;
}

const TIMES_FASTER = 10;
const TIMES_AT_MOST_LARGER = 1.3;

/** Returns a verdict for every limit that has results. */
export function verdicts(rows: readonly Row[]): readonly Verdict[] {
  return rows.flatMap((row) => [...ofPeer(row), ...ofSql(row), ...ofSize(row, rows)]);
}

function ofPeer({ query, items, ours, peer }: Row): readonly Verdict[] {
  if (peer === undefined) return [];
  const name = `${query.name}, ${items.toLocaleString('en')} Items`;
  const [throughput, tail] = [ours.perSecond / peer.perSecond, peer.p95 / ours.p95];
  return [
    {
      name: `${name}: requests/s`,
      value: `${throughput.toFixed(1)} x`,
      bar: `>= ${TIMES_FASTER} x`,
      pass: throughput >= TIMES_FASTER,
    },
    { name: `${name}: p95`, value: `1/${tail.toFixed(1)}`, bar: `<= 1/${TIMES_FASTER}`, pass: tail >= TIMES_FASTER },
  ];
}

function ofSql({ query, items, ours, sqlP50 }: Row): readonly Verdict[] {
  const { allowed } = query;
  if (allowed === undefined || sqlP50 === undefined) return [];
  const name = `${query.name}, ${items.toLocaleString('en')} Items: p50 against plain SQL`;
  if ('ms' in allowed) {
    const more = ours.p50 - sqlP50;
    return [
      {
        name,
        value: `${more >= 0 ? '+' : ''}${more.toFixed(2)} ms`,
        bar: `<= +${allowed.ms} ms`,
        pass: more <= allowed.ms,
      },
    ];
  }
  const times = ours.p50 / sqlP50;
  return [{ name, value: `${times.toFixed(2)} x`, bar: `<= ${allowed.times} x`, pass: times <= allowed.times }];
}

function ofSize({ query, items, ours }: Row, rows: readonly Row[]): readonly Verdict[] {
  const smallest = rows.filter((row) => row.query.name === query.name).reduce((a, b) => (b.items < a.items ? b : a));
  if (smallest.items === items) return [];
  const times = ours.p50 / smallest.ours.p50;
  const name = `${query.name}: p50 at ${items.toLocaleString('en')} against ${smallest.items.toLocaleString('en')} Items`;
  return [
    { name, value: `${times.toFixed(2)} x`, bar: `<= ${TIMES_AT_MOST_LARGER} x`, pass: times <= TIMES_AT_MOST_LARGER },
  ];
}
