import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import type { NetError } from '../errors.ts';
import { Network } from '../network/network.ts';
import { googleTokens, serviceAccountOf } from './google-tokens.ts';

const SCOPE = 'https://www.googleapis.com/auth/earthengine';
const EMAIL = 'runner@project.iam.gserviceaccount.com';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const open: Loopback[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close())));

type Answer = readonly [status: number, body: string, headers?: Record<string, string>];

const granted = (token: string, seconds = 3600): Answer => [
  200,
  JSON.stringify({ access_token: token, expires_in: seconds, token_type: 'Bearer' }),
];

/** A source of tokens, whose endpoint sends these responses in order and then repeats the last. */
async function sourceOver(...answers: readonly Answer[]) {
  const bodies: string[] = [];
  const endpoint = await listenOnLoopback((request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const [status, body, headers] = answers[Math.min(bodies.push(text), answers.length) - 1] ?? [500, ''];
      response.writeHead(status, headers).end(body);
    });
  });
  open.push(endpoint);
  const { tools, pauses } = stillClock();
  const clock = { ms: Date.parse('2026-11-29T00:00:00Z') };
  const network = new Network({
    settings: { allowedOrigins: [endpoint.origin] },
    tools: { ...tools, now: () => clock.ms },
  });
  const account = serviceAccountOf({
    type: 'service_account',
    client_email: EMAIL,
    private_key: PEM,
    private_key_id: 'k1',
    token_uri: `${endpoint.origin}/token`,
  });
  return { source: googleTokens({ account, scopes: [SCOPE], network }), bodies, clock, pauses, endpoint };
}

describe('googleTokens', () => {
  it('exchanges a signed assertion for a token', async () => {
    const { source, bodies, clock, endpoint } = await sourceOver(granted('t1'));
    expect(await source.token()).toBe('t1');
    const sent = new URLSearchParams(bodies[0]);
    expect(sent.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload, protectedHeader } = await jwtVerify(sent.get('assertion') ?? '', publicKey, {
      issuer: EMAIL,
      audience: `${endpoint.origin}/token`,
      currentDate: new Date(clock.ms),
    });
    expect([payload['scope'], protectedHeader]).toEqual([SCOPE, { alg: 'RS256', typ: 'JWT', kid: 'k1' }]);
  });

  it('sends one request for 100 callers, and another one shortly before the token expires', async () => {
    const { source, bodies, clock } = await sourceOver(granted('t1'), granted('t2'));
    const tokens = await Promise.all(Array.from({ length: 100 }, () => source.token()));
    expect([new Set(tokens), bodies.length]).toEqual([new Set(['t1']), 1]);
    clock.ms += 3_299_000;
    expect(await source.token()).toBe('t1');
    clock.ms += 2000;
    expect(await source.token()).toBe('t2');
  });

  it('replaces a token that a server refused, but not a newer one', async () => {
    const { source, bodies } = await sourceOver(granted('t1'), granted('t2'));
    await source.token();
    source.forget('t1');
    expect(await source.token()).toBe('t2');
    source.forget('t1');
    expect([await source.token(), bodies.length]).toEqual(['t2', 2]);
  });

  it('retries a busy endpoint after Retry-After, and a response that was cut off', async () => {
    const busy: Answer = [503, '', { 'retry-after': '7' }];
    const { source, pauses } = await sourceOver(busy, [200, '{"access_tok'], granted('t1'));
    expect(await source.token()).toBe('t1');
    expect(pauses).toEqual([7000, 1000]);
  });

  it('continues for other callers if one of them aborts', async () => {
    const { source, bodies } = await sourceOver(granted('t1'));
    const aborting = new AbortController();
    const calls = [source.token(aborting.signal), source.token()];
    aborting.abort(new Error('left'));
    await expect(calls[0]).rejects.toThrow('left');
    expect([await calls[1], bodies.length]).toEqual(['t1', 1]);
  });

  it.each([
    [
      'a refusal',
      [400, '{"error":"invalid_grant","error_description":"eyJ.secret"}'],
      /^input_data .*400, invalid_grant/,
    ],
    ['an error that is not a code', [401, '{"error":"PRIVATE KEY"}'], /^input_data .*HTTP 401\)/],
    ['a response without a usable token', [200, '{"access_token":"a\\r\\nb"}'], /^input_data .*HTTP 200\)/],
    ['a huge response', [200, `"${'x'.repeat(100_000)}"`], /^input_data .*larger than/],
    ['a response 500 to every attempt', [500, 'eyJ.secret'], /^unavailable .*after 4 attempts \(HTTP 500\)/],
    ['a Retry-After of an hour', [429, '', { 'retry-after': '3600' }], /^unavailable .*after 1 attempts \(HTTP 429\)/],
  ] satisfies [string, Answer, RegExp][])(
    'throws an error that names the cause after %s, and sends a new request for the next caller',
    async (_, answer, failure) => {
      const { source, bodies } = await sourceOver(answer);
      const failed = () => source.token().catch((error: NetError) => `${error.code} ${error.message}`);
      expect(await failed()).toMatch(failure);
      expect(await failed()).not.toMatch(/eyJ|PRIVATE/);
      expect(bodies.length).toBeGreaterThan(1);
    },
  );

  it('refuses an endpoint without encryption before it signs', () => {
    const account = { email: EMAIL, key: privateKey, keyId: undefined, projectId: undefined };
    const of = (tokenUri: string) => () =>
      googleTokens({ account: { ...account, tokenUri }, scopes: [SCOPE], network: new Network() });
    expect(of('http://token.invalid/')).toThrow(/token_uri of the key is not an https address/);
    expect(of('no address')).toThrow(/token_uri/);
  });
});

describe('serviceAccountOf', () => {
  const content = { type: 'service_account', client_email: EMAIL, private_key: PEM, project_id: 'project' };

  it('reads a key; the JSON of the parsed account contains no secret', () => {
    const account = serviceAccountOf(content);
    expect(account).toMatchObject({ email: EMAIL, projectId: 'project', tokenUri: expect.stringMatching(/^https:/) });
    expect(JSON.stringify(account)).not.toMatch(/PRIVATE|MII/);
  });

  it.each([
    ['a text', 'text', 'no_key'],
    ['a user', { ...content, type: 'authorized_user' }, 'no_key'],
    ['a key without a valid e-mail address', { ...content, client_email: 'nothing' }, 'no_key'],
    ['a broken key', { ...content, private_key: PEM.slice(0, 200) }, 'no_rsa'],
  ])('refuses %s', (_, wrong, reason) => {
    const error: unknown = expect.objectContaining({ code: 'validation', details: { reason } });
    expect(() => serviceAccountOf(wrong)).toThrow(error);
  });
});
