import { SILENT } from '@headwater/core';
import type { Headwater, HeadwaterOptions } from '@headwater/http-service';
import type { HostUser } from '@headwater/identity';
import { describe, expect, onTestFinished } from 'vitest';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';

const COMPUTE = '/api/v1/generate_outline_layer/';
const BODY = {
  state: 'Sample State',
  district: 'Sample District',
  block: 'Sample Tehsil',
  eo_account_id: 1,
  label: 'a',
};
const OWN = 'http://headwater.example';

/** Users of the host, by cookie or token. */
const HOST_USERS: Readonly<Record<string, HostUser>> = {
  asha: { id: 'asha-1', name: 'Asha', roles: ['compute'] },
  // The ids of the next two users differ from Asha's id only in upper and lower case. `double` has the name of an
  // account of this service.
  twin: { id: 'Asha-1', name: 'Asha', roles: ['compute'] },
  triplet: { id: 'ASHA-1', name: 'Asha', roles: ['compute'] },
  double: { id: 'someone_else', name: SAMPLE_USERS.other.username, roles: ['compute'] },
  reader: { id: 7, name: 'Reader', roles: [] },
  boss: { id: 'boss', name: 'Boss', roles: ['superuser'] },
};

interface Hosted {
  readonly service: Headwater;
  readonly ask: (path: string, headers?: Readonly<Record<string, string>>, init?: RequestInit) => Promise<Response>;
  /** Requests that the service passed to `authenticate`. */
  readonly received: { readonly method: string; readonly url: string }[];
}

async function start(target: HttpTarget, options: Partial<HeadwaterOptions> = {}): Promise<Hosted> {
  const received: Hosted['received'] = [];
  const service = await createSampleService({
    pipelines: [outlinePipeline],
    ...options,
    identity: {
      authenticate: async ({ method, url, headers }) => {
        received.push({ method, url });
        const { cookie, authorization } = headers;
        const sent = /(?:who=|bearer )(\w+)/i.exec(`${String(cookie)} ${String(authorization)}`)?.[1] ?? '';
        return HOST_USERS[sent] ?? null;
      },
      ...options.identity,
    },
  });
  const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
  onTestFinished(async () => {
    await service.close();
    await host.close();
  });
  const ask: Hosted['ask'] = (path, headers = {}, init = {}) =>
    fetch(host.url + path, { redirect: 'manual', ...init, headers: { ...init.headers, ...headers } });
  return { service, ask, received };
}

const bearer = (user: string): Record<string, string> => ({ authorization: `Bearer ${user}` });
const cookie = (user: string): Record<string, string> => ({ cookie: `theme=dark; who=${user}` });
const withFormCookie = (user: string, { headers }: Response): Record<string, string> => ({
  cookie: `${cookie(user)['cookie']}; ${headers.get('set-cookie')?.split(';')[0]}`,
});
const post = (body: unknown): RequestInit => jsonInit(body);

/** Test cases of a service whose users sign in at the host. */
export function hostSignInCases(target: HttpTarget): void {
  describe('the sign-in of the host', () => {
    defineCase(
      target,
      'replaces tokens of the service: users of the host compute and read; visitors and tokens of the service get 401',
      async () => {
        const { service, ask, received } = await start(target);
        const started = await ask(COMPUTE, bearer('asha'), post(BODY));
        expect(started.status).toBe(202);
        const { run_id: id } = (await started.json()) as { run_id: string };
        expect(received[0]).toEqual({ method: 'POST', url: `${OWN}${COMPUTE}` });
        expect((await ask(`/api/v1/runs/${id}/`, bearer('asha'))).status).toBe(200);
        expect((await ask(`/api/v1/runs/${id}/`, bearer('stranger'))).status).toBe(401);
        const { access } = await service.accounts.login(SAMPLE_USERS.owner, undefined);
        const refused = await ask('/api/v1/eoaccounts/', bearer(access));
        expect(refused.status).toBe(401);
        expect(await refused.text()).not.toContain('auth/login');
        expect((await ask('/api/v1/eoaccounts/', bearer('reader'))).status).toBe(200);
      },
    );

    defineCase(target, 'provides the roles that each row checks', async () => {
      const { ask } = await start(target);
      const refused = await ask(COMPUTE, bearer('reader'), post(BODY));
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('role \\"compute\\"')]);
      expect((await ask('/api/v1/users/', bearer('asha'))).status).toBe(403);
      expect((await ask('/api/v1/users/', bearer('boss'))).status).toBe(200);
      expect((await ask(COMPUTE, bearer('boss'), post(BODY))).status).toBe(202);
      const near = await ask('/api/dag/run', bearer('reader'), post({ conf: {} }));
      expect(near.status).not.toBe(401);
    });

    defineCase(
      target,
      'never uses the account of another user because of an equal name, or of an id that differs only in case',
      async () => {
        const { service, ask } = await start(target);
        const runOf = async (user: string, label: string): Promise<string> => {
          const answer = await ask(COMPUTE, bearer(user), post({ ...BODY, label }));
          expect(answer.status).toBe(202);
          return ((await answer.json()) as { run_id: string }).run_id;
        };
        const users = ['asha', 'twin', 'triplet', 'double'];
        const ids = await Promise.all(users.map((user) => runOf(user, user)));
        const runs = await Promise.all(ids.map((id) => service.stores.runs.get(id)));
        const owners = runs.map((run) => run?.ownerId);
        const own = await service.stores.users.byUsername(SAMPLE_USERS.other.username);
        expect(new Set([...owners, own?.id]).size).toBe(5);
        const again = await service.stores.runs.get(await runOf('asha', 'd'));
        expect(again?.ownerId).toBe(owners[0]);
        const account = { username: 'host:asha-1', password: 'tall-river-42' };
        await expect(service.accounts.createUser(account)).rejects.toMatchObject({ code: 'validation' });
        expect(await service.stores.users.byId(owners[0] ?? 0)).toMatchObject({
          isSuperuser: false,
          mayCompute: false,
        });
      },
    );

    defineCase(target, 'simultaneous first requests of a user create one account', async () => {
      const { service, ask } = await start(target);
      const before = await service.stores.users.count();
      const answers = await Promise.all([1, 2, 3, 4].map(() => ask('/api/v1/eoaccounts/', bearer('asha'))));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await service.stores.users.count()) - before).toBe(1);
    });

    defineCase(
      target,
      'with a cookie, accepts writes only from pages of this service and of allowed origins',
      async () => {
        const { ask } = await start(target, { corsOrigins: ['https://app.example'] });
        const write = async (headers: Record<string, string>): Promise<number> =>
          (await ask(COMPUTE, { ...cookie('asha'), ...headers }, post(BODY))).status;
        expect(await write({ origin: OWN })).toBe(202);
        expect(await write({ origin: 'https://app.example' })).toBe(202);
        expect(await write({ origin: 'https://evil.example' })).toBe(403);
        expect(await write({ origin: 'https://app' })).toBe(403);
        expect(await write({ origin: 'null' })).toBe(403);
        expect(await write({ origin: 'http://localhost:5173' })).toBe(403);
        expect(await write({ 'sec-fetch-site': 'cross-site' })).toBe(403);
        expect(await write({})).toBe(403);
        // Browsers send Basic passwords automatically, so requests from pages of other sites must be refused.
        const basic = { authorization: 'Basic YXNoYTp4', origin: 'https://evil.example' };
        expect((await ask(COMPUTE, basic, post(BODY))).status).toBe(403);
        expect((await ask(COMPUTE, { ...bearer('asha') }, post(BODY))).status).toBe(202);
        const read = await ask('/api/v1/eoaccounts/', { ...cookie('asha'), origin: 'http://localhost:5173' });
        expect(read.status).toBe(401);
        // Pages of local origins may send any token. But an Authorization header must not make the cookie of the same
        // request valid.
        const local = { ...cookie('asha'), origin: 'http://192.168.1.7', authorization: 'Bearer x' };
        expect((await ask('/api/v1/generate_api_key/', local, post({ name: 'stolen' }))).status).toBe(401);
        expect((await ask('/api/v1/eoaccounts/', local)).status).toBe(401);
        expect((await ask('/api/v1/eoaccounts/', { ...local, ...bearer('asha') })).status).toBe(200);
        expect((await ask('/api/v1/eoaccounts/', cookie('asha'))).status).toBe(200);
      },
    );

    defineCase(target, 'removes all rows about passwords and all sign-in pages', async () => {
      const { ask } = await start(target, { identity: { signIn: '/host/sign-in' } });
      for (const path of ['login', 'logout', 'token/refresh', 'register', 'forgot-password', 'change-password']) {
        expect([path, (await ask(`/api/v1/auth/${path}/`, {}, post(SAMPLE_USERS.owner))).status]).toEqual([path, 404]);
      }
      for (const path of ['/login/', '/register/', '/forgot-password/']) {
        expect([path, (await ask(path)).status]).toEqual([path, 404]);
      }
      const sent = await ask('/dashboard/');
      expect([sent.status, sent.headers.get('location')]).toEqual([303, '/host/sign-in?next=%2Fdashboard%2F']);
      const page = await ask('/dashboard/', cookie('asha'));
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Asha')]);
      expect((await ask('/admin/', cookie('asha'))).status).toBe(403);
      expect((await ask('/admin/', cookie('boss'))).status).toBe(200);
    });

    defineCase(target, 'shows its users the pages of runs, with their forms', async () => {
      const { ask, received } = await start(target, { identity: { signIn: '/host/sign-in' } });
      const started = await ask(COMPUTE, bearer('asha'), post(BODY));
      const { run_id: id } = (await started.json()) as { run_id: string };
      const html = { ...cookie('asha'), accept: 'text/html' };
      const list = await ask('/api/v1/runs/', html);
      expect([list.status, await list.text()]).toEqual([200, expect.stringContaining('Asha')]);
      const page = await ask(`/api/v1/runs/${id}/`, html);
      const text = await page.text();
      expect(text).not.toContain('/host/sign-in');
      const [, action = ''] = /<form[^>]* action="([^"]*cancel[^"]*)"/.exec(text) ?? [];
      const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
      const form = { ...withFormCookie('asha', page), origin: OWN };
      received.length = 0;
      const sent = await ask(action, form, { method: 'POST', body: new URLSearchParams({ token }) });
      expect([sent.status, new URL(sent.headers.get('location') ?? '', OWN).search]).toEqual([303, '']);
      expect(received[0]).toEqual({ method: 'POST', url: OWN + action });
    });

    defineCase(target, 'accepts the cookie of a host user who may compute, on rows of the work service', async () => {
      const region = jsonInit({ region: [77, 18, 77.1, 18.1], year: 2021, base_scheme: 'x' });
      const conf = post({ conf: {} });
      const fromPage = { ...cookie('asha'), origin: OWN };
      for (const workflowAccess of ['bearer', 'session'] as const) {
        const { ask } = await start(target, { workService: { workflowAccess, secret: 'the secret of the workers' } });
        const status = async (path: string, init: RequestInit, headers = fromPage): Promise<number> =>
          (await ask(path, headers, init)).status;
        expect([401, 403]).not.toContain(await status('/api/dag/run', conf));
        expect([401, 403]).not.toContain(await status('/api/export-asset', region));
        expect(await status('/api/export-asset', region, { ...cookie('stranger'), origin: OWN })).toBe(401);
        const secret = { cookie: '', origin: OWN, 'x-work-service-secret': 'the secret of the workers' };
        expect([401, 403]).not.toContain(await status('/api/export-asset', region, secret));
      }
    });

    defineCase(
      target,
      'a disabled account is a visitor on public pages and gets 401 elsewhere; the audit log names the account host:boss',
      async () => {
        const { service, ask } = await start(target, { identity: { signIn: '/host/sign-in' } });
        expect((await ask('/api/v1/eoaccounts/', bearer('asha'))).status).toBe(200);
        const account = await service.stores.users.byUsername('host:asha-1');
        const boss = { ...cookie('boss'), origin: OWN };
        const row = `/admin/users/${account?.id}/`;
        const page = await ask(row, boss);
        const text = await page.text();
        const [, action = ''] = /<form[^>]* action="([^"]*(?:disable|deactivate)[^"]*)"/.exec(text) ?? [text];
        const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
        const form = { ...withFormCookie('boss', page), origin: OWN };
        const body = new URLSearchParams({ token, confirmed: 'yes' });
        expect([action, (await ask(action, form, { method: 'POST', body })).status]).toEqual([action, 303]);
        const [entry] = await service.stores.audit.latest({ limit: 1 });
        expect(entry?.actorName).toBe('host:boss');
        expect((await ask('/', cookie('asha'))).status).toBe(200);
        expect((await ask('/dashboard/', cookie('asha'))).status).toBe(401);
        expect((await ask('/api/v1/eoaccounts/', cookie('asha'))).status).toBe(401);
      },
    );

    defineCase(target, 'keeps the policies of public data and of API keys', async () => {
      const { service, ask } = await start(target);
      const made = await ask('/api/v1/generate_api_key/', bearer('asha'), post({ name: 'mine' }));
      const key = JSON.stringify(await made.json());
      expect([made.status, key]).toEqual([expect.any(Number), expect.stringContaining('api_key')]);
      const text = /"(?:api_key|key)":"([^"]+)"/.exec(key)?.[1] ?? '';
      expect((await ask('/api/v1/get_active_locations/', { 'x-api-key': text })).status).toBe(200);
      expect((await ask('/api/v1/get_active_locations/', bearer('asha'))).status).toBe(401);
      expect((await ask('/api/health')).status).toBe(200);
      // A disabled account is refused, even if the host accepts the user.
      const own = await service.stores.users.byUsername('host:asha-1');
      await service.stores.users.setActive(own?.id ?? 0, false);
      expect((await ask('/api/v1/eoaccounts/', bearer('asha'))).status).toBe(401);
    });

    defineCase(target, 'returns 503 if it fails, and 500 if it returns an invalid user', async () => {
      const logged: string[] = [];
      const failing = await start(target, {
        logger: { ...SILENT, error: (fields, message) => logged.push(JSON.stringify({ ...fields, message })) },
        identity: {
          authenticate: ({ headers }) =>
            Promise.reject(new Error(`the identity provider is away for ${String(headers['authorization'])}`)),
        },
      });
      expect((await failing.ask('/api/v1/eoaccounts/?a=b', bearer('asha-secret'))).status).toBe(503);
      const [line = ''] = logged.filter((each) => each.includes('sign-in failed'));
      expect(line).toMatch(/"GET","path":"\/api\/v1\/eoaccounts\/".*provider is away for Bearer \[removed\]/);
      expect((await failing.ask('/')).status).toBe(200);
      const root: HostUser = Object.assign({ id: '', name: 'x', roles: [] });
      const wrong = await start(target, { identity: { authenticate: async () => root } });
      expect((await wrong.ask('/api/v1/eoaccounts/', bearer('asha'))).status).toBe(500);
    });
  });
}
