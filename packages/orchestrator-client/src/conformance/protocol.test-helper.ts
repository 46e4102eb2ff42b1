import { expect, it } from 'vitest';
import type { Bench, Target } from './bench.test-helper.ts';

/**
 * Tests details of the protocol that a fake orchestrator easily gets wrong. The requests do not use this package's
 * client, except for the start of the run.
 */
export function protocol(bench: () => Bench): void {
  it('implements the protocol for which the client was written', async () => {
    const run = await bench().client.trigger('t_ok', { url: bench().callback.url });
    await run.wait();
    const path = `dags/t_ok/dagRuns/${encodeURIComponent(run.runId)}`;
    const traps = await protocolTraps(bench().target, path);
    expect(traps).toEqual(TRAPS[bench().target.api]);
  });
}

async function protocolTraps(
  { url, username, password, api }: Target,
  run: string,
): Promise<Readonly<Record<string, unknown>>> {
  const authorization = await authorizationOf({ url, username, password, api });
  const send = async (
    path: string,
    init: RequestInit = {},
  ): Promise<{ status: number; type: string; body: string }> => {
    const headers = { authorization, ...Object.fromEntries(new Headers(init.headers)) };
    const answer = await fetch(`${url}/api/${api}/${path}`, { ...init, headers });
    return {
      status: answer.status,
      type: (answer.headers.get('content-type') ?? '').split(';')[0] ?? '',
      body: await answer.text(),
    };
  };
  const json = { 'content-type': 'application/json' };
  const log = `${run}/taskInstances/execute_A/logs/1`;
  const member = (body: string, name: string): unknown => (JSON.parse(body) as Record<string, unknown>)[name];
  const content = member((await send(log, { headers: { accept: 'application/json' } })).body, 'content');
  const xcom = member((await send(`${run}/taskInstances/execute_A/xcomEntries/return_value`)).body, 'value');
  const extraQuery = await send(`${run}?nope=1`);
  const extraBody = await send('dags/t_ok/dagRuns', {
    method: 'POST',
    headers: json,
    body: '{"foo":1,"logical_date":null}',
  });
  const withoutLogin = async (body: string): Promise<number> => {
    const headers = { ...json, authorization: 'Basic AAAA' };
    return (await send('dags/t_ok/dagRuns', { method: 'POST', headers, body })).status;
  };
  const duplicate = await send('dags/t_ok/dagRuns', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      dag_run_id: decodeURIComponent(run.split('/').at(-1) ?? ''),
      logical_date: undefined,
      ...(api === 'v2' ? { logical_date: null } : {}),
    }),
  });
  const list = await send('dags/~/dagRuns?limit=1000&order_by=-id');
  const unknown = await send('dags/t_unknown?update_mask=is_paused', {
    method: 'PATCH',
    headers: json,
    body: '{"is_paused":false}',
  });
  return {
    logByDefault: (await send(log)).type,
    content: Array.isArray(content) ? 'list' : String(content).slice(0, 2),
    xcom: typeof xcom === 'string' ? xcom : 'json',
    extraQuery: extraQuery.status,
    extraBody: extraBody.status,
    wrongTypeBeforeLogin: await withoutLogin('{"conf":1,"logical_date":null}'),
    unknownMemberBeforeLogin: await withoutLogin('{"foo":1}'),
    duplicate: duplicate.status,
    listHas: Object.keys(JSON.parse(list.body) as object).sort(),
    unknownDag: [unknown.status, unknown.type],
    badOrder: (await send('dags/t_ok/dagRuns?order_by=nope')).status,
  };
}

async function authorizationOf({
  url,
  username,
  password,
  api,
}: Pick<Target, 'url' | 'username' | 'password' | 'api'>): Promise<string> {
  if (api === 'v1') return `Basic ${btoa(`${username}:${password}`)}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username, password }),
  });
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`;
}

const LIST_MEMBERS = ['dag_runs', 'total_entries'];
const TRAPS = {
  v1: {
    logByDefault: 'text/plain',
    content: '[(',
    xcom: "{'status': 'success', 'n': 1, 't': \"it's\", 'f': 1.5, 'z': None, 'ok': True}",
    extraQuery: 400,
    extraBody: 400,
    wrongTypeBeforeLogin: 400,
    unknownMemberBeforeLogin: 401,
    duplicate: 409,
    listHas: LIST_MEMBERS,
    unknownDag: [404, 'application/problem+json'],
    badOrder: 400,
  },
  v2: {
    logByDefault: 'application/json',
    content: 'list',
    xcom: 'json',
    extraQuery: 200,
    extraBody: 422,
    wrongTypeBeforeLogin: 401,
    unknownMemberBeforeLogin: 401,
    duplicate: 409,
    listHas: LIST_MEMBERS,
    unknownDag: [404, 'application/json'],
    badOrder: 400,
  },
} as const;
