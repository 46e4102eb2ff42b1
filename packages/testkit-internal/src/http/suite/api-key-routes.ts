import { describe, expect } from 'vitest';
import { SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit, useHarness } from './harness.ts';

const CHANGE = '/api/v1/generate_api_key/';
const LIST = '/api/v1/get_user_api_keys/';
/** Format of times that existing API clients parse. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

interface Body {
  readonly action?: string;
  readonly data: { readonly api_key: string; readonly expires_at: string };
}
type UserName = keyof typeof SAMPLE_USERS;

/** Test cases of generating, listing and deactivating API keys. */
export function apiKeyRouteCases(target: HttpTarget): void {
  describe('routes of API keys', () => {
    const harness = useHarness(target);
    const as = async (who: UserName): Promise<Record<string, string>> => ({
      authorization: `Bearer ${await harness().token(who)}`,
    });
    const change = async (who: UserName, body: unknown): Promise<Response> =>
      harness().get(CHANGE, jsonInit(body, await as(who)));
    const list = async (who: UserName): Promise<readonly Record<string, unknown>[]> => {
      const answer = await harness().get(LIST, { headers: await as(who) });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const body = (await answer.json()) as { api_keys: readonly Record<string, unknown>[] };
      expect(body).toEqual({ success: true, message: expect.stringMatching(/./), api_keys: body.api_keys });
      return body.api_keys;
    };
    const idOf = async (who: UserName): Promise<number | undefined> =>
      (await harness().service.stores.users.byUsername(SAMPLE_USERS[who].username))?.id;
    const use = async (key: string): Promise<number> =>
      (await harness().get('/probe/api-key/', { headers: { 'x-api-key': key } })).status;
    const generated = async (who: UserName, body: unknown = {}): Promise<Body['data']> => {
      const answer = await change(who, body);
      expect(answer.status).toBe(201);
      return ((await answer.json()) as Body).data;
    };

    defineCase(
      target,
      'a key is shown only once, is accepted, is listed in masked form, and is refused after its deactivation',
      async () => {
        const answer = await change('other', {});
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
        const body = (await answer.json()) as Body;
        expect(body).toEqual({
          action: 'generate',
          success: true,
          message: 'API key generated successfully',
          data: {
            api_key: expect.stringMatching(/^[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}$/),
            is_active: true,
            expires_at: expect.stringMatching(TIME),
            created_at: expect.stringMatching(TIME),
            name: expect.stringMatching(/^API Key \d{4}-\d\d-\d\d \d\d:\d\d$/),
          },
        });
        const { api_key: key, ...facts } = body.data;
        expect(Date.parse(facts.expires_at) / 86_400_000).toBeCloseTo(Date.now() / 86_400_000 + 3000, 1);
        const second = await generated('other', { name: 'field laptop', expiry_days: '30' });
        const masked = `${key.slice(0, 8)}.${'*'.repeat(32)}`;
        expect(await list('other')).toEqual([
          expect.objectContaining({ api_key: `${second.api_key.slice(0, 8)}.${'*'.repeat(32)}`, name: 'field laptop' }),
          { ...facts, api_key: masked, last_used_at: null, days: [] },
        ]);
        // The key is used only now, because the list above must show no use.
        expect(await use(key)).toBe(200);
        const end = await change('other', { action: 'deactivate', user_id: await idOf('other'), api_key: key });
        expect([end.status, await end.json()]).toEqual([
          200,
          {
            action: 'deactivate',
            success: true,
            message: expect.stringMatching(/./),
            data: { api_key: masked, is_active: false, expires_at: facts.expires_at },
          },
        ]);
        expect([await use(key), await use(second.api_key)]).toEqual([401, 200]);
        expect(await list('other')).toHaveLength(1);
      },
    );
    defineCase(
      target,
      'a key can also be deactivated by its masked text, but only by its owner or a superuser',
      async () => {
        const first = (await generated('owner')).api_key;
        const second = (await generated('owner')).api_key;
        const [owner, other] = [await idOf('owner'), await idOf('other')];
        for (const [who, userId, text] of [
          ['other', owner, first],
          ['other', other, first],
          ['operator', other, first],
          ['owner', owner, `${first.slice(0, 9)}${'a'.repeat(32)}`],
          ['owner', owner, 'Unknown0.x'],
        ] as const) {
          const answer = await change(who, { action: 'deactivate', user_id: userId, api_key: text });
          const body = (await answer.json()) as Body;
          expect([answer.status, body]).toMatchObject([404, { success: false, error: 'API key not found' }]);
          expect(JSON.stringify(body)).not.toContain(text);
        }
        expect(await use(first)).toBe(200);
        const masked = `${first.slice(0, 8)}.${'*'.repeat(32)}`;
        expect((await change('owner', { action: 'deactivate', user_id: owner, api_key: masked })).status).toBe(200);
        const body = { action: 'deactivate', user_id: String(owner), api_key: second };
        expect((await change('operator', body)).status).toBe(200);
        expect([await use(first), await use(second)]).toEqual([401, 401]);
      },
    );
    defineCase(target, 'error messages have the fixed texts of the API and name the field', async () => {
      const fault = async (body: unknown): Promise<unknown> => {
        const answer = await change('owner', body);
        expect(answer.status).toBe(400);
        return answer.json();
      };
      for (const days of [0, -1, 1.5, 1e9, 'soon', '3 days', true, [3]]) {
        expect(await fault({ expiry_days: days })).toMatchObject({
          success: false,
          error: 'Invalid expiry_days value',
          expiry_days: [expect.stringContaining('from 1 to 36500')],
        });
      }
      for (const action of ['renew', 'GENERATE', 5])
        expect(await fault({ action })).toMatchObject({ error: 'Invalid action. Use: generate, deactivate' });
      expect(await fault({ action: 'deactivate' })).toMatchObject({
        success: false,
        user_id: ['This field is required.'],
        api_key: ['This field is required.'],
      });
      expect(await fault({ name: 'x'.repeat(151) })).toMatchObject({ name: [expect.stringContaining('150')] });
    });
    defineCase(target, 'an unreadable body generates no key, because it may be a deactivation', async () => {
      const headers = await as('other');
      const key = (await generated('other')).api_key;
      const before = (await list('other')).length;
      const end = JSON.stringify({ action: 'deactivate', user_id: await idOf('other'), api_key: key });
      const form = 'application/x-www-form-urlencoded';
      for (const [type, body] of [
        ['application/json', end.slice(0, -1)],
        ['application/json', '{"expiry_days":'],
        ['text/plain', end.slice(0, -1)],
        ['text/plain', 'a key, please'],
        [form, end.slice(0, -1)],
        [form, 'action=deactivate&api_key=%ff'],
      ] as const) {
        const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body };
        const answer = await harness().get(CHANGE, init);
        const problem = await answer.json();
        expect([type, answer.status, problem]).toMatchObject([
          type,
          400,
          { success: false, error: expect.stringMatching(/parse error|malformed/) },
        ]);
        expect(JSON.stringify(problem)).not.toContain(key);
      }
      expect(await list('other')).toHaveLength(before);
      expect((await change('operator', ['generate'])).status).toBe(400);
      expect(await use(key)).toBe(200);
      // A JSON body is read even with the content type of a form, which curl sends by default.
      const whole = { method: 'POST', headers: { ...headers, 'content-type': form }, body: end };
      expect((await harness().get(CHANGE, whole)).status).toBe(200);
      expect(await use(key)).toBe(401);
    });
    defineCase(target, 'the content type is ignored if the body is JSON or a form', async () => {
      for (const body of ['{"name":"field laptop"}', ' {"name":"field laptop"}', 'name=field+laptop&expiry_days=30']) {
        const headers = { ...(await as('owner')), 'content-type': 'text/plain' };
        const answer = await harness().get(CHANGE, { method: 'POST', headers, body });
        expect([answer.status, await answer.json()]).toMatchObject([201, { data: { name: 'field laptop' } }]);
      }
    });
    defineCase(target, 'an empty body, a form, and blank fields also generate a key', async () => {
      const headers = { ...(await as('owner')), 'content-type': 'application/json' };
      expect((await harness().get(CHANGE, { method: 'POST', headers })).status).toBe(201);
      const form = new URLSearchParams({ action: 'generate', name: '', expiry_days: '30' });
      expect((await harness().get(CHANGE, { method: 'POST', headers: await as('owner'), body: form })).status).toBe(
        201,
      );
    });
    defineCase(
      target,
      'an anonymous request gets 405 for a wrong method, otherwise 401 without a challenge',
      async () => {
        for (const [path, method] of [
          [CHANGE, 'GET'],
          [LIST, 'POST'],
        ] as const) {
          const wrong = await harness().get(path, { method });
          expect([wrong.status, await wrong.json()]).toMatchObject([405, { error: `Method ${method} not allowed` }]);
        }
        const answer = await harness().get(LIST);
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
        expect(await answer.json()).toMatchObject({
          success: false,
          error: 'Authentication failed',
          details: expect.stringMatching(
            /^JWT token required in Authorization header\. .*POST \/api\/v1\/auth\/login\/ returns/,
          ),
        });
      },
    );
  });
}
