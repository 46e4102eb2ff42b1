import { createMemoryStores } from '@headwater/identity/memory';
import { describe, expect, it, vi } from 'vitest';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';
import type { HeadwaterOptions } from '../headwater-options.ts';
import { settleOptions } from './settle-options.ts';

const BASE = { baseUrl: 'http://localhost:3000', secret: 's3cret '.repeat(5) };

function messageFor(wrong: object): string {
  const options: HeadwaterOptions = Object.assign({ ...BASE }, wrong);
  try {
    createHeadwater(options);
  } catch (error) {
    return String(error);
  }
  return 'no error';
}

const hosted = (identity: object): object => ({ identity: { authenticate: async () => null, ...identity } });

describe('invalid options', () => {
  it.each<readonly [wrong: object, message: RegExp]>([
    [{ secret: undefined }, /- secret: is missing; give at least 32 random bytes/],
    [{ secret: 42 }, /- secret: is neither a text nor a Uint8Array/],
    [{ baseUrl: undefined }, /- baseUrl: /],
    [{ loggr: console }, /- loggr: is not an option; did you mean logger\?/],
    [{ logger: {} }, /- logger: lacks debug, info, error/],
    [{ logger: 'info' }, /- logger: is not an object/],
    [{ limits: { bodyLimit: -1 } }, /- limits\.bodyLimit: .*>=0/],
    [{ bodyLimit: 10 }, /- bodyLimit: is not an option; did you mean limits\.bodyLimit\?/],
    [{ hasher: {} }, /- hasher: is not an option; did you mean identity\.hasher\?/],
    [{ identity: { hashr: {} } }, /- identity\.hashr: is not an option; did you mean identity\.hasher\?/],
    [{ limits: { logger: {} } }, /- limits\.logger: is not an option; did you mean logger\?/],
    [{ zzzz: 1 }, /- zzzz: is not an option$/],
    [{ corsOrigins: 'https://good.example' }, /- corsOrigins: .*expected array/],
    [{ corsOrigins: ['https://good.example/'] }, /- corsOrigins\.0: "https:\/\/good\.example\/" is not an origin/],
    [{ corsOrigins: ['*'] }, /- corsOrigins\.0: "\*" is not an origin/],
    [{ compute: { worker: { concurency: 2 } } }, /- compute\.worker.*concurency/],
    [
      { compute: { pixels: { execute() {}, close() {} } } },
      /- compute: has pixels without earthObservation and assets/,
    ],
    [{ pages: 'none' }, /- pages: /],
    [{ compute: { worker: { concurrency: '4' } } }, /- compute\.worker\.concurrency: .*expected number/],
    [{ publication: { providers: [{}] } }, /- publication\.providers\.0\.name: .*expected string/],
    [{ pages: { userOf: () => 'a' } }, /- pages\.signIn: .*expected string/],
    [{ pipelines: [{}] }, /- pipelines\.0: lacks execute, resolve/],
    [{ corsOrigins: ['https://A.example:443'] }, /- corsOrigins\.0: .*write https:\/\/a\.example$/m],
    [{ identity: { signIn: '/in' } }, /- identity\.signIn: .*without identity\.authenticate/],
    [hosted({ hasher: { hash() {}, verify() {} } }), /- identity\.hasher: .*identity\.authenticate.*leave it out/],
    [hosted({ mail: { send() {} } }), /- identity\.mail: .*identity\.authenticate/],
    [hosted({ tokens: { issuer: 'a' } }), /- identity\.tokens: .*identity\.authenticate/],
    [hosted({ registration: 'open' }), /- identity\.registration: .*identity\.authenticate/],
    [{ ...hosted({}), pages: { userOf() {}, signIn: '/in' } }, /- pages: .*identity\.authenticate.*identity\.signIn/],
    [
      { ...hosted({}), limits: { login: { windowMs: 1, perNameAtAddress: 1, perName: 1, perAddress: 1 } } },
      /- limits\.login: .*identity\.authenticate/,
    ],
    [{ compute: { elevation: {} } }, /- compute\.elevation: .*earthObservation, pixels and assets/],
    [{ compute: { worker: { concurrency: 2 } } }, /- compute\.worker: .*earthObservation, pixels and assets/],
    [{ mount: ['dashboard', 'sign-in'], pages: 'off' }, /- mount: names dashboard.*pages/],
    [{ mount: ['admin'] }, /- mount: names admin without sign-in.*identity\.authenticate/],
    [
      { stores: {} },
      /- stores: lacks eoAccounts, eoExports, sceneUses, places, .*ping, close, users.*give \{ \.\.\.createMemoryStores\(\), \.\.\.yours \}/,
    ],
    [
      { stores: Object.create(createMemoryStores(), { runs: { value: null } }) as object },
      /- stores: lacks runs; give \{ \.\.\.createMemoryStores\(\)/,
    ],
    [{ baseUrl: 'ftp://a.example' }, /- baseUrl: "ftp:\/\/a\.example" is not an address; give one/],
    [{ secret: 'short' }, /- secret: has 5 bytes; give at least 32/],
    [hosted({ signIn: 'sign-in' }), /- identity\.signIn: is not a path.*begin it with one \//],
    [hosted({ signIn: '//evil.example' }), /- identity\.signIn: is not a path/],
    [{ pages: { userOf() {}, signIn: 'in' } }, /- pages\.signIn: is not a path/],
  ])('%o cause an error that names the option', (wrong, message) => {
    expect(messageFor(wrong)).toMatch(message);
  });

  it('are all reported in one error', () => {
    const message = messageFor({ baseUrl: 'a', secret: 'b', loggr: 1, limits: { openRuns: 0 } });
    expect(message.match(/^- \w+/gm)).toEqual(expect.arrayContaining(['- baseUrl', '- secret', '- loggr', '- limits']));
  });
});

it('an option that is undefined has its default', async () => {
  const absent: object = { logger: undefined, limits: { bodyLimit: undefined }, clock: undefined, stores: undefined };
  const service = createHeadwater(Object.assign({ ...BASE }, absent));
  const answer = await toFetchHandler(service.service)(new Request('http://localhost:3000/api/health'));
  expect(answer.status).toBe(200);
  await service.close();
});

it('pages of users may be mounted without our sign-in pages if the host has a sign-in', () => {
  const pages = { userOf: () => undefined, signIn: '/in' };
  expect(messageFor({ mount: ['dashboard', 'admin'], pages })).toBe('no error');
  const identity = { authenticate: async () => null, signIn: '/in' };
  expect(messageFor({ mount: ['dashboard', 'admin'], identity })).toBe('no error');
});

describe('safe defaults', () => {
  it('errors are written to the console if no logger is given', () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { logger } = settleOptions(BASE);
    logger.info({}, 'quiet');
    logger.error({ path: '/x' }, 'unexpected failure');
    expect(written.mock.calls).toEqual([['headwater: unexpected failure', { path: '/x' }]]);
    written.mockRestore();
  });

  it('an origin that is only the beginning of a configured origin may not send credentials', async () => {
    const { service } = createHeadwater({ ...BASE, corsOrigins: ['https://good.example'] });
    const allowed = async (origin: string): Promise<string | null> => {
      const answer = await toFetchHandler(service)(new Request(`${BASE.baseUrl}/api/health`, { headers: { origin } }));
      return answer.headers.get('access-control-allow-credentials');
    };
    expect(await allowed('https://good')).toBeNull();
    expect(await allowed('https://good.example')).toBe('true');
  });

  it('without workService, only callers with an account can start computations', async () => {
    const region = { region: [77, 18, 77.1, 18.1], year: 2021, base_scheme: 'x' };
    const send = async (options: Partial<HeadwaterOptions>): Promise<readonly [number, string]> => {
      const { service } = createHeadwater({ ...BASE, ...options });
      const init = { method: 'POST', body: JSON.stringify(region), headers: { 'content-type': 'application/json' } };
      const request = new Request(`${BASE.baseUrl}/api/export-asset`, init);
      const answer = await toFetchHandler(service)(request, { remoteAddress: '127.0.0.1' });
      return [answer.status, await answer.text()];
    };
    const [status, text] = await send({});
    expect(status).toBe(403);
    expect(text).toContain('bearer token of an account that may compute');
    expect((await send({ workService: {} }))[0]).not.toBe(403);
  });
});
