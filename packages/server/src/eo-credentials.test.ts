import { generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EoAccount } from '@headwater/core';
import { assert, expect, it, onTestFinished } from 'vitest';
import { eoCredentials, type EoCredentialsOptions } from './eo-credentials.ts';

const EMAIL = 'runner@project.iam.gserviceaccount.com';
const ACCOUNT: EoAccount = {
  id: 7,
  name: 'project',
  accountEmail: null,
  serviceAccountEmail: EMAIL,
  platform: 'earth_engine',
  isVisible: true,
  isActive: true,
};
const TOKEN = 'ya29.secret-token';
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}`;
}

/** The credentials of a file with this content; undefined: the file is missing. */
async function over(content: string | undefined, options: Partial<EoCredentialsOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-eo-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'key.json');
  if (content !== undefined) await writeFile(path, content);
  return eoCredentials({ path, bucket: undefined, allowedOrigins: [], ...options });
}

const fileFor = (origin: string, more: object = {}): string =>
  JSON.stringify({
    type: 'service_account',
    client_email: EMAIL,
    private_key: privateKey,
    private_key_id: 'k1',
    token_uri: `${origin}/token`,
    ...more,
  });

const never = (): AbortSignal => new AbortController().signal;

/** States of the steps, and the reason of the failed step. The reason must contain no secret. */
async function tested(port: Awaited<ReturnType<typeof over>>, account = ACCOUNT, signal = never()) {
  const steps = await port.test(account, signal);
  expect(JSON.stringify(steps)).not.toMatch(/PRIVATE KEY|secret-token|eyJ|MII/);
  for (const { detail } of steps) if (detail !== undefined) expect(detail.hi).toBeTruthy();
  return {
    states: steps.map(({ check, state }) => `${check} ${state}`).join(', '),
    reason: steps.find(({ state }) => state === 'failing')?.detail?.en,
  };
}

it('obtains a token by a signed assertion, and reads the bucket with it', async () => {
  const seen: string[] = [];
  const origin = await listen((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    request.setEncoding('utf8').on('data', (body: string) => seen.push(body));
    request.on('end', () => response.end(JSON.stringify({ access_token: TOKEN })));
  });
  const allowed = { allowedOrigins: [origin], storage: origin };
  const plain = await over(fileFor(origin), allowed);
  expect(await plain.email()).toBe(EMAIL);
  expect((await tested(plain)).states).toBe('file ok, json ok, email ok, token ok, bucket off');
  const sent = new URLSearchParams(seen[1]);
  expect(sent.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [head = '', claims = '', signature = ''] = (sent.get('assertion') ?? '').split('.');
  const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
  expect(isSigned).toBe(true);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: EMAIL, aud: `${origin}/token` });
  const withBucket = await over(fileFor(origin), { ...allowed, bucket: 'tiles' });
  expect((await tested(withBucket)).states).toBe('file ok, json ok, email ok, token ok, bucket ok');
  expect(seen.at(-1)).toBe(`GET /storage/v1/b/tiles/o?maxResults=1&fields=kind Bearer ${TOKEN}`);
});

const NO_KEY = 'file ok, json failing, email off, token off, bucket off';
it.each([
  ['no file', undefined, 'file failing, json off, email off, token off, bucket off; It cannot be read (ENOENT). Mount'],
  ['no JSON', '{"private_key": "-----BEGIN PRIVATE KEY-----', `${NO_KEY}; It is not valid JSON.`],
  ['a huge file', `"${'x'.repeat(100_000)}"`, `${NO_KEY}; It is not the JSON key of a service account`],
  ['a user', '{"type":"authorized_user","client_email":"a@b.test"}', `${NO_KEY}; It is not the JSON key`],
  ['a broken key', fileFor('', { private_key: privateKey.slice(0, 200) }), `${NO_KEY}; Its private_key is not an RSA`],
])('fails at the file with %s', async (_, content, expected) => {
  const { states, reason } = await tested(await over(content));
  expect(`${states}; ${reason}`).toContain(expected);
});

it('names both addresses, and sends nothing, if the file belongs to another service account', async () => {
  const port = await over(fileFor('https://token.invalid'));
  const { states, reason } = await tested(port, { ...ACCOUNT, serviceAccountEmail: 'other@project.test' });
  expect(states).toBe('file ok, json ok, email failing, token off, bucket off');
  expect(reason).toMatch(
    /^The file belongs to runner@project\S+, but the account has the e-mail other@project\.test\. Change/,
  );
  expect((await tested(port, { ...ACCOUNT, serviceAccountEmail: null })).states).toMatch(/email failing/);
});

const NO_TOKEN = 'file ok, json ok, email ok, token failing, bucket off';
it.each([
  ['an error', '400 {"error":"invalid_grant","error_description":"eyJ.secret"}', /HTTP 400, invalid_grant\)/],
  ['an error that is no code', '401 {"error":"PRIVATE KEY"}', /HTTP 401\)/],
  ['no JSON', '200 <html>', /HTTP 200\)/],
  ['no usable token', '200 {"access_token":"a\\r\\nb"}', /HTTP 200\)/],
  ['a huge response', `200 "${'x'.repeat(100_000)}"`, /not that of this platform/],
])('fails at the token if the endpoint responds with %s', async (_, answer, reason) => {
  const origin = await listen((_request, response) => {
    response.writeHead(Number(answer.slice(0, 3))).end(answer.slice(4));
  });
  const port = await over(fileFor(origin), { allowedOrigins: [origin], bucket: 'tiles' });
  expect(await tested(port)).toEqual({ states: NO_TOKEN, reason: expect.stringMatching(reason) });
});

it('fails at the bucket if it refuses the token', async () => {
  const origin = await listen(({ method }, response) => {
    response.writeHead(method === 'POST' ? 200 : 403).end(JSON.stringify({ access_token: TOKEN }));
  });
  const port = await over(fileFor(origin), { allowedOrigins: [origin], storage: origin, bucket: 'tiles' });
  const { states, reason } = await tested(port);
  expect(states).toBe('file ok, json ok, email ok, token ok, bucket failing');
  expect(reason).toMatch(/^The bucket tiles responds HTTP 403\. Check STORAGE_BUCKET_NAME/);
});

it('ends at the time limit if the endpoint is silent', async () => {
  const limit = new AbortController();
  const origin = await listen(() => limit.abort());
  const port = await over(fileFor(origin), { allowedOrigins: [origin] });
  const { states, reason } = await tested(port, ACCOUNT, limit.signal);
  expect(states).toBe(NO_TOKEN);
  expect(reason).toMatch(/^127\.0\.0\.1:\d+ gave no response \(time limit\)\. Check the network/);
});

it('sends nothing without encryption, nor to private networks', async () => {
  let requests = 0;
  const origin = await listen((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  const plain = await tested(await over(fileFor(origin)));
  expect(plain).toEqual({ states: NO_TOKEN, reason: expect.stringMatching(/not an https address/) });
  const inside = await tested(await over(fileFor('https://127.0.0.1:1')));
  expect(inside).toEqual({ states: NO_TOKEN, reason: expect.stringMatching(/not a public address/) });
  expect(requests).toBe(0);
});
