import { runContest } from '../contest.ts';
import { type Helper, startHelper } from '../helper.ts';
import { isWanted } from '../options.ts';
import { KEY, PUBLIC_ROUTES } from '../routes/public-data.ts';
import { benchSession, benchTokens, PATHS, START_TEXT } from '../routes/shared.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/** Lowest allowed ratio in the rows without and with a token. */
const BARS = { fastify: { open: 0.92, bearer: 1.2 }, express: { open: 1.2, bearer: 1.5 } } as const;
/** Lowest allowed ratio in the rows about public data, for both frameworks. */
const PUBLIC_BAR = 0.9;
const FRAMEWORKS = ['fastify', 'express'] as const;
/** Number of requests of a round; divided by `LARGE` for large responses. */
const COUNT = 2000;
const LARGE = 4;
/** Number of requests after which both servers run optimised code. */
const WARM_UP = 12_000;
/** These rows run this many times more rounds than other rows, because the results of short rounds vary. */
const ROUNDS_FACTOR = 9;

const HEAD = 'Host: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: application/json\r\n';
const KINDS = ['', '_post', '_bearer', '_bearer_post', 'public_tehsil_data', 'public_layer_list'] as const;

type Framework = (typeof FRAMEWORKS)[number];
type Kind = (typeof KINDS)[number];

const rowName = (framework: Framework, kind: Kind): string =>
  isPublic(kind) ? `${kind}_${framework}` : `route_${framework}${kind}`;

const isPublic = (kind: Kind): kind is keyof typeof PUBLIC_ROUTES => kind in PUBLIC_ROUTES;

interface LoadRequest {
  readonly status: number;
  readonly request: string;
}

async function requests(): Promise<Readonly<Record<Kind, LoadRequest>>> {
  const authorization = `Authorization: Bearer ${await benchTokens().issueAccess(benchSession())}\r\n`;
  return {
    '': get(PATHS.public.list, ''),
    _post: post(PATHS.public.start, ''),
    _bearer: get(PATHS.bearer.list, authorization),
    _bearer_post: post(PATHS.bearer.start, authorization),
    public_tehsil_data: keyed('public_tehsil_data'),
    public_layer_list: keyed('public_layer_list'),
  };
}

function get(path: string, headers: string): LoadRequest {
  return { status: 200, request: `GET ${path}?limit=40&offset=80 HTTP/1.1\r\n${HEAD}${headers}\r\n` };
}

function keyed(kind: keyof typeof PUBLIC_ROUTES): LoadRequest {
  const headers = `X-API-Key: ${KEY}\r\nAccept-Encoding: identity\r\n`;
  return { status: 200, request: `GET ${PUBLIC_ROUTES[kind]} HTTP/1.1\r\n${HEAD}${headers}\r\n` };
}

function post(path: string, headers: string): LoadRequest {
  const lines = `${HEAD}${headers}Content-Type: application/json\r\nContent-Length: ${START_TEXT.length}\r\n`;
  return { status: 202, request: `POST ${path} HTTP/1.1\r\n${lines}\r\n${START_TEXT}` };
}

/**
 * Compares requests per second of our service and a bare host (a framework without our service), which does the same
 * checks.
 */
export const routeRows: RowGroup = {
  names: FRAMEWORKS.flatMap((framework) => KINDS.map((kind) => rowName(framework, kind))),
  run,
};

async function run({ options }: RowContext): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const load = startHelper('routes/load.ts', []);
  try {
    for (const framework of FRAMEWORKS) {
      const kinds = KINDS.filter((kind) => isWanted(rowName(framework, kind), options));
      if (kinds.length > 0) results.push(...(await compare({ framework, kinds, load, rounds: options.rounds })));
    }
  } finally {
    load.child.kill();
  }
  return results;
}

interface Comparison {
  readonly framework: Framework;
  readonly kinds: readonly Kind[];
  readonly load: Helper;
  readonly rounds: number;
}

async function compare({ framework, kinds, load, rounds }: Comparison): Promise<BenchResult[]> {
  const servers = {
    ours: startHelper('routes/server.ts', [`${framework}-ours`]),
    bare: startHelper('routes/server.ts', [`${framework}-bare`]),
  };
  try {
    const ports = { ours: await portOf(servers.ours), bare: await portOf(servers.bare) };
    const wanted = await requests();
    const results: BenchResult[] = [];
    for (const kind of kinds) {
      const share = kind === 'public_tehsil_data' ? LARGE : 1;
      const fire = async (side: 'ours' | 'bare', count: number): Promise<number> => {
        load.child.stdin.write(`${JSON.stringify({ ...wanted[kind], port: ports[side], count: count / share })}\n`);
        const result = JSON.parse(await load.next()) as { readonly perSecond: number; readonly errors: number };
        if (result.errors > 0)
          throw new Error(`${rowName(framework, kind)}: ${result.errors} connections of the load failed`);
        return result.perSecond;
      };
      for (const side of ['ours', 'bare'] as const) await fire(side, WARM_UP);
      const peer = { name: `bare ${framework}`, round: () => fire('bare', COUNT) };
      const contest = {
        name: rowName(framework, kind),
        unit: 'req/s',
        better: 'more',
        bar: isPublic(kind) ? PUBLIC_BAR : BARS[framework][kind.startsWith('_bearer') ? 'bearer' : 'open'],
      } as const;
      results.push(
        ...(await runContest({
          ...contest,
          rounds: rounds * ROUNDS_FACTOR,
          ours: () => fire('ours', COUNT),
          peers: [peer],
        })),
      );
    }
    return results;
  } finally {
    servers.ours.child.kill();
    servers.bare.child.kill();
  }
}

async function portOf({ next }: Helper): Promise<number> {
  return (JSON.parse(await next()) as { readonly port: number }).port;
}
