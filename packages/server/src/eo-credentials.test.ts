import { generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EoAccount, EoAccountStore } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import { Network } from '@headwater/net';
import { assert, describe, expect, it, onTestFinished } from 'vitest';
import { eoCredentials } from './eo-credentials.ts';

const EMAIL = 'runner@project.iam.gserviceaccount.com';
const ACCOUNT: EoAccount = {
  id: 7,
  name: 'project',
  accountEmail: null,
  serviceAccountEmail: EMAIL,
  platform: 'earth_engine',
  isVisible: true,
  isActive: true,
  visibleTo: 'all',
  ownerId: null,
  organizationId: null,
  hasKey: false,
  exhaustedUntil: null,
};
const TOKEN = 'ya29.secret-token';
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const SHORT_KEY = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;

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

interface More {
  readonly allowedOrigins?: readonly string[];
  readonly storage?: string;
  readonly bucket?: string;
}

const secretOf = (text: string): Uint8Array => new TextEncoder().encode(text.padEnd(32, '.'));

/** Network that waits only a millisecond before the first retry. */
const quick = (allowedOrigins: readonly string[]): Network =>
  new Network({ settings: { allowedOrigins, firstPauseMs: 1 } });

/** Credentials with a mounted file of this content. The file is missing if `content` is undefined. */
async function over(content: string | undefined, { allowedOrigins = [], bucket, ...more }: More = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-eo-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'key.json');
  if (content !== undefined) await writeFile(path, content);
  const network = quick(allowedOrigins);
  const { eoAccounts } = createMemoryDomainStores();
  return eoCredentials({ mounted: { path, bucket }, secret: secretOf('one'), eoAccounts, network, ...more });
}

const fileFor = (origin: string, more: object = {}): string =>
  JSON.stringify({
    type: 'service_account',
    client_email: EMAIL,
    private_key: privateKey,
    private_key_id: 'k1',
    project_id: 'project',
    token_uri: `${origin}/token`,
    ...more,
  });

const never = (): AbortSignal => new AbortController().signal;

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
  [
    'no file',
    undefined,
    'file failing, json off, email off, token off, bucket off; The file cannot be read (ENOENT). Mount',
  ],
  ['no JSON', '{"private_key": "-----BEGIN PRIVATE KEY-----', `${NO_KEY}; The file is not valid JSON.`],
  ['a huge file', `"${'x'.repeat(100_000)}"`, `${NO_KEY}; The file is not the JSON key of a service account`],
  ['a user', '{"type":"authorized_user","client_email":"a@b.test"}', `${NO_KEY}; The file is not the JSON key`],
  [
    'a broken key',
    fileFor('', { private_key: privateKey.slice(0, 200) }),
    `${NO_KEY}; The private_key in the file is not an RSA`,
  ],
  ['a short key', fileFor('', { private_key: SHORT_KEY }), `${NO_KEY}; The private_key in the file is not an RSA`],
  [
    'no project',
    fileFor('', { project_id: undefined }),
    `${NO_KEY}; The project_id in the file is missing or not valid.`,
  ],
  [
    'no valid project',
    fileFor('', { project_id: 'p/../../x?y=' }),
    `${NO_KEY}; The project_id in the file is missing or not valid.`,
  ],
])('fails at the file with %s', async (_, content, expected) => {
  const { states, reason } = await tested(await over(content));
  expect(`${states}; ${reason}`).toContain(expected);
});

it('if the service account of the file is not the one of the account, the error names both e-mail addresses, and nothing is sent', async () => {
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
  ['no JSON', '200 <html>', /HTTP 200 with a body that is not JSON\)/],
  ['no usable token', '200 {"access_token":"a\\r\\nb"}', /HTTP 200\)/],
  ['a huge response', `200 "${'x'.repeat(100_000)}"`, /does not come from this platform/],
])('fails at the token if the endpoint responds with %s', async (_, answer, reason) => {
  const origin = await listen((_request, response) => {
    response.writeHead(Number(answer.slice(0, 3))).end(answer.slice(4));
  });
  const port = await over(fileFor(origin), { allowedOrigins: [origin], bucket: 'tiles' });
  expect(await tested(port)).toEqual({ states: NO_TOKEN, reason: expect.stringMatching(reason) });
});

it('fails at the bucket if the bucket refuses the token', async () => {
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

describe('the encrypted key of an account', () => {
  const { eoAccounts } = createMemoryDomainStores();
  const withSecret = (secret: string, stores: Pick<EoAccountStore, 'sealedKey'> = eoAccounts) =>
    eoCredentials({ mounted: undefined, secret: secretOf(secret), eoAccounts: stores, network: quick([]) });
  const withKey = async (): Promise<EoAccount> => {
    const { id } = await eoAccounts.create({ ...ACCOUNT, accountEmail: null });
    const key = withSecret('one').keyOf(fileFor('https://token.invalid'));
    await eoAccounts.setSealedKey(id, key.sealFor(id));
    return { ...ACCOUNT, id, hasKey: true };
  };

  it('is used if no file is mounted, and contains nothing of the key in plain text', async () => {
    const account = await withKey();
    expect(await withSecret('one').problemOf(account)).toBeUndefined();
    expect((await withSecret('one').serviceOf(account)).email).toBe(EMAIL);
    expect(await eoAccounts.sealedKey(account.id)).not.toMatch(/PRIVATE|client_email|MIIE/);
  });

  it('names the reason if the secret of the deployment changed, the row belongs to another account, or no credentials are stored', async () => {
    const account = await withKey();
    const problem = async (of: ReturnType<typeof withSecret>, changed: Partial<EoAccount> = {}) =>
      await of.problemOf({ ...account, ...changed });
    expect(await problem(withSecret('two'))).toMatch(/^cannot be used: .*another secret.*Upload/);
    const sealed = await eoAccounts.sealedKey(account.id);
    const moved = withSecret('one', { sealedKey: async () => sealed });
    expect(await problem(moved, { id: account.id + 1 })).toMatch(/damaged in the database\. Upload the key again/);
    expect(await problem(withSecret('one'), { hasKey: false })).toMatch(
      /The account has no credentials\. Upload the JSON key/,
    );
    expect(await problem(withSecret('one'), { serviceAccountEmail: 'other@project.test' })).toMatch(
      /belongs to runner@project\S+, but the account has the e-mail other@project\.test/,
    );
    const { states } = await tested(withSecret('two'), account);
    expect(states).toBe('file failing, json off, email off, token off, bucket off');
  });

  it('is refused at its field if it is not the key of a service account; the error contains no part of it', () => {
    const { keyOf } = withSecret('one');
    expect(keyOf(fileFor('https://token.invalid')).email).toBe(EMAIL);
    const refused = [
      '{"private_key": "-----BEGIN PRIVATE KEY-----',
      '{}',
      fileFor('', { private_key: 'MIIx' }),
      fileFor('http://token.invalid'),
      fileFor('https://token.invalid', { project_id: undefined }),
    ];
    for (const text of refused) {
      const refusal: unknown = expect.objectContaining({
        fields: { credentials: [expect.objectContaining({ message: expect.not.stringMatching(/PRIVATE|MII/) })] },
      });
      expect(() => keyOf(text)).toThrow(refusal);
    }
  });
});
