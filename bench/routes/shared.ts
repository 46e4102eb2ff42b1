// The routes that our service and a bare host (a framework without our service) both serve.
import type { IncomingMessage } from 'node:http';
import { createTokens, type Session, type Stores, TOKEN_DEFAULTS, type Tokens } from '@headwater/identity';
import { z } from 'zod';

const integer = (min: number, max: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'A valid integer is required.')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** Query of the listing route. */
export const ListQuery = z.object({
  limit: integer(1, 100).optional(),
  offset: integer(0, 1_000_000).optional(),
  state: z.enum(['queued', 'running', 'success', 'failed']).optional(),
});

/** Body of the POST route: the fields of a compute request. */
export const StartBody = z.object({
  state: z.string().min(1).max(200),
  district: z.string().min(1).max(200),
  block: z.string().min(1).max(200),
  start_year: z.int().min(1980).max(2100),
  end_year: z.int().min(1980).max(2100),
  eo_account_id: z.int().min(1),
});

const STATES = ['success', 'failed', 'running', 'queued'] as const;

const ROWS = Array.from({ length: 400 }, (_, i) => ({
  run_id: `0190a000-0000-7000-8000-${String(i).padStart(12, '0')}`,
  pipeline: 'lulc_for_tehsil',
  state: STATES[i % 4] ?? 'queued',
  progress: (i % 100) / 100,
  step: i % 3 === 0 ? null : 'composites',
  attempt: 1 + (i % 3),
  created_at: new Date(1_700_000_000_000 + i * 1000).toISOString(),
  links: { self: `http://localhost:8000/api/v1/runs/${i}/` },
}));

/** Body of the requests that are measured. */
export const START_TEXT = JSON.stringify({
  state: 'Nadi Pradesh',
  district: 'East Nadi',
  block: 'Jal Gaon',
  start_year: 2021,
  end_year: 2023,
  eo_account_id: 1,
});

/** Returns the response of the listing route. */
export function listing({ limit = 40, offset = 0, state }: z.infer<typeof ListQuery>): unknown {
  const matching = state === undefined ? ROWS : ROWS.filter((row) => row.state === state);
  return { count: matching.length, next: null, previous: null, results: matching.slice(offset, offset + limit) };
}

/** Returns the response of the POST route. */
export function started(body: z.infer<typeof StartBody>): unknown {
  return {
    Success: 'initiated',
    status: 'initiated',
    run_id: `${body.state}-${body.block}-${body.start_year}`,
    asset_ids: [],
  };
}

/** Paths of the two routes on every server, without authentication and with a bearer token. */
export const PATHS = {
  public: { list: '/bench/rows/', start: '/bench/start/' },
  bearer: { list: '/bench/own-rows/', start: '/bench/own-start/' },
} as const;

/** Key that signs the tokens of all servers. */
export const SECRET = 'a key for the bench only, never for a real service';

/** Creates the issuer of the tokens that all servers accept; algorithm, claims and library are those of our service. */
export function benchTokens(): Tokens {
  const secret = new TextEncoder().encode(SECRET);
  return createTokens({ ...TOKEN_DEFAULTS, secret }, { now: () => new Date() });
}

/** Session of the bearer token; it belongs to the first user of a new store. */
export function benchSession(): Session {
  return { userId: 1, familyId: 'bench', sessionVersion: 0, signedInAt: Math.floor(Date.now() / 1000) };
}

/** Creates the user of the bearer token and a session of this user. */
export async function createBenchUser(stores: Stores): Promise<void> {
  const names = { username: 'bench', email: '', firstName: '', lastName: '', contactNumber: null };
  await stores.users.create({
    ...names,
    isActive: true,
    isSuperuser: false,
    mayCompute: true,
    mustChangePassword: false,
    passwordHash: '-',
  });
  await stores.refreshTokens.add((await benchTokens().issueRefresh(benchSession())).record);
}

const REQUEST_ID = /^[\w.-]{1,64}$/;
let count = 0;

/** Headers that our service adds to each response. Bare hosts also return the request's own id, or make a new one. */
export function extraHeaders({ headers }: IncomingMessage): Record<string, string> {
  const { 'x-request-id': sent } = headers;
  const id = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : `0190a000-0000-7000-8000-${nextCount()}`;
  return { vary: 'Origin', 'x-request-id': id, 'x-content-type-options': 'nosniff' };
}

const nextCount = (): string => (count += 1).toString(36).padStart(12, '0');

/** `extraHeaders` with a bearer token; such responses may not be cached. */
export function bearerHeaders(message: IncomingMessage): Record<string, string> {
  return { ...extraHeaders(message), vary: 'Authorization, Origin', 'cache-control': 'no-store' };
}
