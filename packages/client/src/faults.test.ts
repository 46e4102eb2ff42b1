import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, type HeadwaterClient, isHeadwaterError, type Tokens } from './index.ts';

const BASE = 'https://example.org/headwater';
const PAGE = '<html><h1>Bad Gateway</h1></html>';
const OLD: Tokens = { access: 'expired', refresh: 'old' };
const RUN = { run_id: 'a', state: 'success', done: true, error: null, stac_items: [] };

type Answers = Readonly<Record<string, (request: Request) => Response | Promise<Response>>>;

/**
 * Creates a client with fixed responses. They have no address (`url` is empty), like all responses that a
 * program creates.
 */
function clientOf(answers: Answers, tokens?: Tokens): { client: HeadwaterClient; paths: string[] } {
  const paths: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    paths.push(pathname);
    const [, answer] = Object.entries(answers).find(([end]) => pathname.endsWith(end)) ?? [];
    return (await answer?.(request)) ?? new Response(PAGE, { status: 404 });
  };
  return { client: createClient({ baseUrl: BASE, tokens, fetch }), paths };
}

const notValid = (): Response => Response.json({ code: 'token_not_valid', detail: 'expired' }, { status: 401 });
const row = ({ headers }: Request): Response =>
  headers.get('authorization') === 'Bearer expired' ? notValid() : Response.json({ count: 0 });

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => 'no error',
    (error: unknown) => (isHeadwaterError(error) ? [error.code, error.status] : error),
  );
}

describe('renewal of tokens', () => {
  it.each([
    ['succeeds', () => Response.json({ access: 'renewed', refresh: 'renewed' })],
    ['is refused', notValid],
  ])('a refresh that %s after a newer sign-in or sign-out changes nothing', async (_what, answer) => {
    for (const isSignIn of [true, false]) {
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const user = { id: 1, username: 'b' };
      const { client } = clientOf(
        {
          '/refresh/': async () => {
            begun.resolve();
            await held.promise;
            return answer();
          },
          '/login/': () => Response.json({ access: 'newer', refresh: 'newer', user }),
          '/logout/': () => Response.json({}),
          '/runs/': row,
        },
        OLD,
      );
      const listed = codeOf(client.get('/api/v1/runs/'));
      await begun.promise;
      if (isSignIn) await client.signIn({ username: 'b', password: 'b' });
      else await client.signOut();
      held.resolve();
      expect(await listed).toEqual(isSignIn ? 'no error' : ['token_not_valid', 401]);
      expect(client.tokens).toEqual(isSignIn ? { access: 'newer', refresh: 'newer' } : undefined);
    }
  });

  it('happens before the request if the body is a stream, because a stream cannot be sent a second time', async () => {
    const texts: string[] = [];
    const { client, paths } = clientOf(
      {
        '/refresh/': () => Response.json({ access: 'renewed', refresh: 'renewed' }),
        '/upload/': async (request) => {
          texts.push(await request.text());
          return row(request);
        },
      },
      OLD,
    );
    const init = { method: 'POST', body: new Blob(['large']).stream(), duplex: 'half' } as const;
    expect(await codeOf(client.fetch('/upload/', init))).toBe('no error');
    expect(paths.map((path) => path.split('/').at(-2))).toEqual(['refresh', 'upload']);
    const again = clientOf({ '/refresh/': () => Response.json(OLD), '/upload/': row }, OLD);
    expect(await codeOf(again.client.fetch('/upload/', { method: 'POST', body: 'short' }))).toHaveLength(2);
    expect(again.paths).toHaveLength(3);
    expect(texts).toEqual(['large']);
  });
});

describe('answers of other programs', () => {
  const lost = (reason: unknown): Response =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"count":')),
        pull: (controller) => controller.error(reason),
      }),
    );

  it.each([
    ['a page instead of JSON', () => new Response(PAGE), ['unexpected_response', 200]],
    ['an empty answer', () => new Response(''), ['unexpected_response', 200]],
    ['a page with an error', () => new Response(PAGE, { status: 404 }), ['unexpected_response', 404]],
    ['a lost connection', () => lost(new TypeError('terminated')), ['no_response', undefined]],
  ])('%s causes an error of the client', async (_what, answer, expected) => {
    const { client } = clientOf({ '/runs/': answer });
    expect(await codeOf(client.get('/api/v1/runs/'))).toEqual(expected);
  });

  it('if the service has no route for the sign-in, the error says where to sign in', async () => {
    const { client } = clientOf({});
    await expect(client.signIn({ username: 'b', password: 'b' })).rejects.toThrow(/404.*address.*sign in there/);
    await expect(client.get('/api/v1/runs/')).rejects.toThrow(/address of the service$/);
  });

  it('a path without a slash at its start belongs to the service too', async () => {
    const { client, paths } = clientOf({ '/runs/': row });
    await client.fetch('api/v1/runs/');
    await (await client.download('api/v1/runs/')).stream.cancel();
    expect(paths).toEqual(['/headwater/api/v1/runs/', '/headwater/api/v1/runs/']);
  });

  it('an abort while the body arrives rejects with the reason of the abort', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const { client } = clientOf({
      '/runs/': () => {
        stop.abort(reason);
        return lost(reason);
      },
    });
    expect(await codeOf(client.get('/api/v1/runs/', { signal: stop.signal }))).toBe(reason);
  });
});

describe('waiting while a proxy answers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function waited(...answers: readonly Response[]): Promise<readonly [unknown, number]> {
    const left = [...answers];
    const next = (): Response => left.shift() ?? Response.json(RUN);
    const { client } = clientOf({ '/events/': next, '/runs/a/': next });
    const begun = Date.now();
    const seconds: number[] = [];
    const ended = client
      .waitForRun('a')
      .then(
        ({ state }) => state,
        (error: unknown) => (isHeadwaterError(error) ? error.code : error),
      )
      .finally(() => {
        seconds.push((Date.now() - begun) / 1000);
      });
    // The loop ends when the run has ended, because other tests may have timers.
    for (let timers = 0; seconds.length === 0 && timers < 10_000; timers++) {
      await vi.advanceTimersToNextTimerAsync();
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    }
    return [await ended, seconds[0] ?? Number.NaN];
  }
  const page = (status: number): Response => new Response(PAGE, { status });
  const none = (): Response => new Response(null, { status: 204 });
  const later = (code: string, status: number): Response =>
    Response.json({ code, detail: 'later' }, { status, headers: { 'retry-after': '30' } });

  it('continues after a page with 502 or 504 instead of the events or the run', async () => {
    expect(await waited(page(502), page(504), none(), page(502))).toEqual(['success', 4]);
  });

  it('waits as long as the service asks for', async () => {
    expect(await waited(later('unavailable', 503), none(), later('unavailable', 503))).toEqual(['success', 60]);
    expect(await waited(none(), later('throttled', 429))).toEqual(['success', 30]);
  });

  it('ends after a page of another program, and after too many lost connections', async () => {
    expect((await waited(page(404)))[0]).toBe('unexpected_response');
    expect((await waited(none(), page(404)))[0]).toBe('unexpected_response');
    expect((await waited(none(), ...Array.from({ length: 6 }, () => page(502))))[0]).toBe('unexpected_response');
  });
});
