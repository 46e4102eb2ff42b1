import { Agent, get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import pgPromise from 'pg-promise';
import { KEY } from '../routes/public-data.ts';
import { judge, type BenchResult } from '../table.ts';
import { COUNTRY_GETS, type CountryRequest, type CountryTehsil, requestAt } from './requests.ts';

const CONNECTIONS = 16;
/** Step from one requested tehsil to the next: a prime number, so that the requests reach every tehsil. */
const STRIDE = 1373;
/** Lowest allowed ratio: 95th percentile of the SQL query divided by the 95th percentile of the GET. */
const BAR = 0.33;

/** Name of the result row for a public GET. */
export const rowOf = (name: string): string => `country_${name.replace('get_', '')}_p95`;

/** Server, database and length of a comparison. */
export interface CountryBench {
  readonly address: string;
  readonly port: number;
  readonly rounds: number;
  readonly count: number;
}

/** Compares the times of public GETs with the times of SQL statements that select the same rows. */
export async function compareGets(
  { address, port, rounds, count }: CountryBench,
  isWanted: (row: string) => boolean,
): Promise<BenchResult[]> {
  const raw = pgPromise({ noWarnings: true })({ connectionString: address, max: CONNECTIONS });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const tehsils = await tehsilsOf(raw);
  const results: BenchResult[] = [];
  for (const name of COUNTRY_GETS.filter((each) => isWanted(rowOf(each)))) {
    const sides: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const at = (index: number): CountryRequest => {
        const place = 2 * round * count + index;
        const tehsil = tehsils[(place * STRIDE) % tehsils.length];
        if (tehsil === undefined) throw new Error('no tehsil has data');
        return requestAt(name, place, tehsil);
      };
      const sendOurs = async (): Promise<number> =>
        await p95(count, async (index) => await send(agent, port, at(index).path));
      const runPeer = async (): Promise<number> =>
        await p95(count, async (index) => {
          const { sql, values } = at(index + count);
          const rows = await raw.manyOrNone<unknown>(sql, [...values]);
          if (rows.length === 0) throw new Error(`${name}: the statement found no row`);
        });
      const pair =
        round % 2 === 0 ? [await sendOurs(), await runPeer()] : [await runPeer(), await sendOurs()].reverse();
      if (round === 0) continue;
      sides.ours.push(pair[0] ?? Number.NaN);
      sides.peer.push(pair[1] ?? Number.NaN);
    }
    const peer = { name: 'pg-promise', rounds: sides.peer };
    results.push(judge({ name: rowOf(name), unit: 'ms', better: 'less', bar: BAR, ours: sides.ours, peer }));
  }
  agent.destroy();
  await raw.$pool.end();
  return results;
}

type Raw = ReturnType<ReturnType<typeof pgPromise>>;

async function tehsilsOf(raw: Raw): Promise<readonly CountryTehsil[]> {
  return await raw.manyOrNone<CountryTehsil>(
    `select t.id, substr(d.slug, 10)::int as row, substr(t.slug, 8)::int as column from headwater.tehsils t
      join headwater.districts d on d.id = t.district_id
      where exists (select from headwater.layers l where l.tehsil_id = t.id) order by t.id`,
  );
}

async function p95(count: number, call: (index: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const start = performance.now();
      await call(index);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  return times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)] ?? Number.NaN;
}

async function send(agent: Agent, port: number, path: string): Promise<void> {
  const request = get({ host: '127.0.0.1', port, agent, path, headers: { 'x-api-key': KEY } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`${path}: status ${answer.statusCode}`);
}
