import { COLLECTION, COLLECTION_PATH, itemId, seeded } from './items.ts';

export interface Query {
  readonly name: string;
  /** Paths that are requested in turn. */
  readonly paths: readonly string[];
  /** SQL that only selects the stored response texts; no server can do less work. Default: no comparison with SQL. */
  readonly sql?: { readonly text: string; readonly values: readonly (readonly (string | number)[])[] };
  /** Largest allowed median of our service: the median of plain SQL plus `ms`, or this median multiplied by `times`. */
  readonly allowed?: { readonly ms: number } | { readonly times: number };
}

const BOX = [75, 15, 85, 25] as const;
const SPAN = ['2018-01-01T00:00:00Z', '2019-12-31T23:59:59Z'] as const;
const SEED = 12;

const PAGE = `select i.sent_text from headwater.items i where i.collection_id = $1
  and st_intersects(i.geometry, st_makeenvelope($2, $3, $4, $5, 4326)) and i.start_key <= $7::timestamptz and i.end_key >= $6::timestamptz
  order by i.start_key desc, i.id desc limit $8::int`;
const BY_ID = 'select i.sent_text from headwater.items i where i.collection_path = $1 and i.id = $2';

/** Returns the queries of the bench for a number of Items. */
export function queries(items: number): readonly Query[] {
  const random = seeded(SEED);
  const ids = Array.from({ length: 200 }, () => itemId(Math.floor(random() * items)));
  const boxes = Array.from({ length: 1000 }, () => tehsilBox(random));
  return [
    { ...page(100), allowed: { times: 2 } },
    { ...page(10), allowed: { ms: 1.5 } },
    {
      name: 'CQL2 on two properties, limit 10',
      paths: [
        search({ limit: '10', 'filter-lang': 'cql2-text', filter: `"bench:cover" < 20 AND "bench:kind" = 'dry'` }),
      ],
    },
    {
      name: 'Item by id',
      paths: ids.map((id) => `/collections/${COLLECTION}/items/${id}`),
      sql: { text: BY_ID, values: ids.map((id) => [COLLECTION_PATH, id]) },
      allowed: { ms: 1.5 },
    },
    {
      name: '1,000 boxes of a tehsil, limit 10',
      paths: boxes.map((box) => search({ limit: '10', bbox: box.join(',') })),
    },
  ];
}

function page(limit: number): Query {
  return {
    name: `10 x 10 degrees, 2 years, limit ${limit}`,
    paths: [search({ limit: String(limit), bbox: BOX.join(','), datetime: SPAN.join('/') })],
    sql: { text: PAGE, values: [[COLLECTION, ...BOX, ...SPAN, limit]] },
  };
}

function search(parameters: Readonly<Record<string, string>>): string {
  return `/search?${new URLSearchParams({ collections: COLLECTION, ...parameters }).toString()}`;
}

function tehsilBox(random: () => number): readonly string[] {
  const [west, south, size] = [60 + random() * 39, random() * 39, 0.2 + random() * 0.3];
  return [west, south, west + size, south + size].map((degrees) => degrees.toFixed(4));
}
