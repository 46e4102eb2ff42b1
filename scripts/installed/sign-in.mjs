// Recipes of docs/embed.md for hosts that sign users in, each with the real library.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './project.mjs';

const LIBRARIES =
  'express@5 zod@4 better-auth@1 express-session@1 passport@0.7 cookie@1 cookie-signature@1 openid-client@6 jose@6 oidc-provider@9';

/** Path that needs a signed-in user. */
const RUNS = '/geo/api/v1/runs/';

/** Code block of docs/embed.md that contains `text`. */
function recipe(root, text) {
  const page = readFileSync(join(root, 'docs', 'embed.md'), 'utf8');
  const block = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code).find((code) => code.includes(text));
  assert.ok(block, `docs/embed.md has no recipe with ${text}`);
  return block;
}

/** Program of a host with a recipe. The recipe (`code`) defines `authenticate`, or all of `headwater`. */
const program = ({ imports, setUp, code, after = '' }) => `
import express from 'express';
import { createExpressRouter, createHeadwater } from '@headwater/http-adapter-express';
${imports}
const secret = crypto.getRandomValues(new Uint8Array(32));
const app = express();
${setUp}
${code}
${code.includes('createHeadwater(') ? '' : "const headwater = createHeadwater({ baseUrl: 'http://localhost:3000/geo', secret, identity: { authenticate } });"}
app.use('/geo', createExpressRouter(headwater.service));
${after}
app.listen(3000);
`;

const BETTER_AUTH = {
  imports: `import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { admin } from 'better-auth/plugins';`,
  setUp: `const auth = betterAuth({
  baseURL: 'http://localhost:3000',
  secret: 'a'.repeat(40),
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
  plugins: [admin()],
});
app.all('/api/auth/{*any}', toNodeHandler(auth));`,
};

const PASSPORT = {
  imports: `import session, { MemoryStore as PostgresSessions } from 'express-session';
import passport from 'passport';
import * as cookie from 'cookie';
import * as cookieSignature from 'cookie-signature';
import { promisify } from 'node:util';`,
  setUp: `const cookieSecret = 'secret of the cookie';
const asha = { id: 'asha-1', name: 'Asha', mayCompute: true };
const users = { byId: async (id) => (id === asha.id ? asha : undefined) };
passport.serializeUser((user, done) => done(null, user.id));
passport.deserializeUser((id, done) => users.byId(id).then((user) => done(null, user), done));`,
  after: `app.post('/sign-in', (request, response, next) =>
  request.login(asha, (error) => (error ? next(error) : response.sendStatus(204))));`,
};

const openIdConnect = (port) => ({
  imports: `import { Provider } from 'oidc-provider';
import * as client from 'openid-client';
import { createRemoteJWKSet, jwtVerify } from 'jose';`,
  setUp: `const clientSecret = 'secret of the client';
const resource = { scope: 'geo', accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } };
const identityProvider = new Provider('http://127.0.0.1:${port}', {
  clients: [{ client_id: 'headwater', client_secret: clientSecret, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
  extraTokenClaims: () => ({ roles: ['geo-compute'], name: 'Asha' }),
  features: {
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'https://example.org/geo',
      getResourceServerInfo: (_, audience) => ({ ...resource, audience }),
    },
  },
});
await new Promise((listening) => identityProvider.listen(${port}, '127.0.0.1', listening));`,
});

const statusOf = async (url, headers = {}) => (await fetch(url + RUNS, { headers })).status;

const cookiesOf = (response) =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');

/** Returns the cookies of the session. */
async function signIn(url, path, body = {}) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.replace('127.0.0.1', 'localhost') },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.text()}`);
  return cookiesOf(response);
}

/** Requests without the cookie or with a changed cookie must be refused, and so must a POST from another origin. */
async function checkCookie(url, cookie) {
  assert.equal(await statusOf(url), 401);
  assert.equal(
    await statusOf(url, { cookie: cookie.replace(/(?<==.{10})./, (old) => (old === 'a' ? 'b' : 'a')) }),
    401,
  );
  assert.equal(await statusOf(url, { cookie }), 200);
  const post = { method: 'POST', headers: { cookie, origin: 'https://elsewhere.example' } };
  assert.equal((await fetch(`${url}/geo/api/v1/generate_api_key/`, post)).status, 403);
}

async function betterAuth(project) {
  const code = recipe(project.root, 'auth.api.getSession').replace(
    'https://example.org/geo',
    'http://localhost:3000/geo',
  );
  const { url } = await project.serve('better-auth.ts', program({ ...BETTER_AUTH, code }), {
    ready: '/geo/api/health',
  });
  const asha = { name: 'Asha', email: 'asha@example.org', password: 'a long password' };
  await checkCookie(url, await signIn(url, '/api/auth/sign-up/email', asha));
}

async function passport(project) {
  const code = recipe(project.root, 'passport.session()');
  const { url } = await project.serve('passport.ts', program({ ...PASSPORT, code }), { ready: '/geo/api/health' });
  await checkCookie(url, await signIn(url, '/sign-in'));
}

async function oidc(project) {
  const port = await freePort();
  const insecure = 'clientSecret, undefined, { execute: [client.allowInsecureRequests] })';
  const code = recipe(project.root, 'client.discovery')
    .replace('https://id.example.org', `http://127.0.0.1:${port}`)
    .replace('clientSecret)', insecure);
  const { url } = await project.serve('oidc.ts', program({ ...openIdConnect(port), code }), {
    ready: '/geo/api/health',
  });
  const tokenFor = async (audience) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'geo', resource: audience });
    const authorization = `Basic ${btoa('headwater:secret+of+the+client')}`;
    const response = await fetch(`http://127.0.0.1:${port}/token`, {
      method: 'POST',
      headers: { authorization },
      body,
    });
    assert.ok(response.ok, `the token of the provider: ${response.status} ${response.ok ? '' : await response.text()}`);
    return { authorization: `Bearer ${(await response.json()).access_token}` };
  };
  assert.equal(await statusOf(url), 401);
  assert.equal(await statusOf(url, await tokenFor('https://example.org/geo')), 200);
  assert.equal(await statusOf(url, await tokenFor('https://example.org/another-service')), 401);
}

/** Runs the three recipes in a project. */
export async function signInRecipes(project) {
  await project.npm('install', '@headwater/http-adapter-express', '@headwater/http-service', ...LIBRARIES.split(' '));
  for (const run of [betterAuth, passport, oidc]) await run(project);
}
