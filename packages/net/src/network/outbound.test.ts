import type { RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import { loopbackSpellings } from './loopback.fixture.ts';
import { Network } from './network.ts';
import type { NetworkSettings } from './settings.ts';

const open: Loopback[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close())));

async function listen(answer: RequestListener = (_, response) => void response.end('{}')): Promise<Loopback> {
  const listener = await listenOnLoopback(answer);
  open.push(listener);
  return listener;
}

function patient(settings: Partial<NetworkSettings>, lookup?: LookupFunction) {
  const { pauses, timeouts, tools: still } = stillClock();
  const tools = { ...still, ...(lookup === undefined ? {} : { lookup }) };
  return { pauses, timeouts, network: new Network({ settings: { patienceMs: 100_000_000, ...settings }, tools }) };
}

const read = (network: Network, href: string, more: object = {}): Promise<unknown> =>
  network.request({
    shown: 'the address',
    ask: async (signal) => {
      const answer = await network.send({ href, headers: {}, ...more }, signal);
      return Buffer.from(await answer.bytes(100)).toString();
    },
  });

const refused = (message: RegExp) => ({ code: 'input_data', message: expect.stringMatching(message) });

describe('an address that is not public, not resolved or not valid', () => {
  it('gets no request in any spelling, and is not retried', async () => {
    const hidden = await listen();
    const { network, pauses } = patient({});
    for (const root of loopbackSpellings(hidden.port)) {
      await expect(read(network, `${root}/x?key=s3cret`), root).rejects.toMatchObject(
        refused(
          /^http:[^?]*\/x: it leads to a (loopback|unspecified|IPv4-in-IPv6) address, to which no requests are sent; use .* allow http:/,
        ),
      );
    }
    expect([hidden.asked, pauses]).toEqual([[], []]);
  });

  it('gets no request if a host name resolves to it; the name is resolved only once for a connection', async () => {
    const hidden = await listen();
    const names: string[] = [];
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    const { network, pauses } = patient({}, (name, _, callback) => {
      names.push(name);
      callback(null, addresses);
    });
    for (const name of ['scenes.test', 'localhost', 'localhost.', 'LOCALHOST'])
      await expect(read(network, `http://${name}:${hidden.port}/`)).rejects.toMatchObject(
        refused(/a loopback address/),
      );
    expect(names).toEqual(['scenes.test', 'localhost', 'localhost.', 'localhost']);
    expect([hidden.asked, pauses]).toEqual([[], []]);
  });

  it('gets requests if its exact origin is allowed', async () => {
    const hidden = await listen();
    const allowedOrigins = [`http://scenes.test:${hidden.port}/`];
    const { network } = patient({ allowedOrigins }, (_, options, callback) =>
      options.all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
    );
    expect(await read(network, `http://scenes.test:${hidden.port}/a`)).toBe('{}');
    for (const other of [`http://other.test:${hidden.port}`, hidden.origin])
      await expect(read(network, `${other}/a`)).rejects.toMatchObject(refused(/loopback/));
    expect(hidden.asked).toEqual(['GET /a']);
  });

  it('is retried if the name cannot be resolved', async () => {
    let asks = 0;
    const { network, pauses } = patient({ tries: 3, patienceMs: 0 }, (_, __, callback) => {
      asks += 1;
      callback(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }), []);
    });
    await expect(read(network, 'http://scenes.test/')).rejects.toMatchObject({ code: 'unavailable' });
    expect([asks, pauses.length]).toEqual([3, 2]);
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN'])(
    'is no longer retried after two minutes of %s, with one line for the log',
    async (code) => {
      const clock = { ms: 0 };
      const { tools: still } = stillClock();
      const lines: (string | undefined)[] = [];
      const network = new Network({
        tools: {
          ...still,
          now: () => clock.ms,
          sleep: (ms) => Promise.resolve(void (clock.ms += ms)),
          lookup: (_, __, callback) => callback(Object.assign(new Error(`getaddrinfo ${code}`), { code }), []),
        },
        onWait: (_, line) => void lines.push(line),
      });
      const ask = (signal: AbortSignal) =>
        network.send({ href: 'http://scenes.test/a?key=s3cret', headers: {} }, signal);
      const shown = 'http://scenes.test/a';
      await expect(network.request({ shown, ask })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('correct the name scenes.test or the name server'),
        details: code === 'ENOTFOUND' ? { isUnresolved: true } : expect.not.objectContaining({ isUnresolved: true }),
      });
      expect(clock.ms).toBeGreaterThan(60_000);
      expect(clock.ms).toBeLessThanOrEqual(120_000);
      await expect(network.request({ shown, ask })).rejects.toMatchObject({ code: 'unavailable' });
      expect(lines.filter((line) => line !== undefined)).toEqual([
        'The name scenes.test cannot be resolved: check its spelling and the name server of this machine. Retrying for up to 120 s.',
      ]);
      expect(lines[0]).toBeDefined();
    },
  );

  it.each(['file:///etc/passwd', '/etc/passwd', 'ftp://127.0.0.1/', 'http://me:s3cret@127.0.0.1/', 'http://[::1/', ''])(
    'gets no request if it is not an http(s) address: %j',
    async (href) => {
      const failure: unknown = await read(patient({}).network, href).catch((error: unknown) => error);
      expect(failure).toMatchObject(refused(/this address is not allowed; give an http/));
      expect(String(failure)).not.toContain('s3cret');
    },
  );

  it.each([
    '*',
    '10.0.0.5',
    '10.0.0.5:8080',
    'ftp://10.0.0.5',
    'http://10.0.0.5/eo',
    'http://me@10.0.0.5',
    'http://x?y',
  ])('is not allowed by %j, which is not an origin', (text) =>
    expect(() => patient({ allowedOrigins: [text] })).toThrow(/^allowedOrigins: .* is not an origin; give only scheme/),
  );
});

describe('a redirect', () => {
  it('is not followed to an address that is not public, in any spelling', async () => {
    const hidden = await listen();
    const targets = [...loopbackSpellings(hidden.port), `//127.0.0.1:${hidden.port}`, `\\\\127.1:${hidden.port}`];
    for (const location of [...targets, 'file:///etc/passwd', `http://me:pw@127.0.0.1:${hidden.port}/`])
      for (const status of [301, 302, 303, 307, 308]) {
        // Node writes headers as Latin-1, so the UTF-8 bytes are passed as Latin-1 characters.
        const bytes = Buffer.from(location).toString('latin1');
        const front = await listen((_, response) => void response.writeHead(status, { location: bytes }).end());
        const { network, pauses } = patient({ allowedOrigins: [front.origin] });
        await expect(read(network, `${front.origin}/`), location).rejects.toMatchObject({ code: 'input_data' });
        expect([hidden.asked, front.asked.length, pauses]).toEqual([[], 1, []]);
      }
  });

  it('is followed to an allowed origin, without the credentials for the first origin', async () => {
    const headers: unknown[] = [];
    const other = await listen((request, response) => {
      const { authorization, 'x-shown': shown, 'user-agent': agent, 'x-api-key': key } = request.headers;
      headers.push(authorization, shown, agent, key);
      response.end('there');
    });
    const front = await listen((request, response) => {
      headers.push(request.headers.authorization, request.headers['x-api-key']);
      const location = request.url === '/a' ? '/b' : `${other.origin}/c`;
      response.writeHead(307, { location }).end();
    });
    const { network } = patient({ allowedOrigins: [front.origin, other.origin] });
    const secrets = { authorization: 'Basic s3cret', secretHeaders: { 'x-api-key': 'k3y' } };
    const more = { method: 'POST', body: '{}', ...secrets, headers: { 'x-shown': 'yes' } };
    expect(await read(network, `${front.origin}/a`, more)).toBe('there');
    const own = ['Basic s3cret', 'k3y'];
    expect(headers).toEqual([...own, ...own, undefined, 'yes', 'headwater', undefined]);
    expect([...front.asked, ...other.asked]).toEqual(['POST /a', 'POST /b', 'POST /c']);
  });

  it('is refused if it never ends', async () => {
    const front = await listen((_, response) => void response.writeHead(302, { location: '/again' }).end());
    const { network, pauses } = patient({ allowedOrigins: [front.origin] });
    await expect(read(network, `${front.origin}/`)).rejects.toMatchObject(refused(/redirects more than 5 times/));
    expect([front.asked.length, pauses]).toEqual([6, []]);
  });

  it('leads from https to http only if the origin of its target is allowed', () => {
    const { network } = patient({ allowedOrigins: ['http://plain.test'] });
    expect(() => network.checkStep('https://a.test/x?k=s3cret', 'http://a.test/y')).toThrow(
      /^https:\/\/a\.test\/x: it leads to http:\/\/a\.test without encryption/,
    );
    for (const to of ['https://b.test/', 'http://plain.test/'])
      expect(network.checkStep('https://a.test/', to)).toBeUndefined();
    expect(network.checkStep('http://a.test/', 'http://b.test/')).toBeUndefined();
  });
});

describe('a body', () => {
  const endless: RequestListener = (_, response) => {
    const more = (): void => {
      while (response.write(new Uint8Array(65_536)));
    };
    response.on('drain', more);
    more();
  };

  it.each([
    ['is endless', endless],
    ['announces a larger size', (_, response) => void response.writeHead(200, { 'content-length': 1e12 }).write('x')],
    [
      'is larger after decompression',
      (_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(new Uint8Array(50_000_000)));
      },
    ],
  ] satisfies (readonly [string, RequestListener])[])('is not read beyond the limit if it %s', async (_, answer) => {
    const front = await listen(answer);
    const { network, pauses } = patient({ allowedOrigins: [front.origin] });
    await expect(read(network, `${front.origin}/`)).rejects.toMatchObject(refused(/larger than the 100 bytes/));
    expect([front.asked.length, pauses]).toEqual([1, []]);
  });

  it('is decompressed if it is compressed', async () => {
    const front = await listen((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
    });
    expect(await read(patient({ allowedOrigins: [front.origin] }).network, front.origin)).toBe('packed');
  });

  it('is aborted by the timeout of one request if it never ends', async () => {
    const front = await listen((_, response) => void response.writeHead(200).write('{', () => timeouts.at(-1)?.over()));
    const settings = { allowedOrigins: [front.origin], timeoutMs: 50, tries: 2, patienceMs: 0 };
    const { network, timeouts } = patient(settings);
    await expect(read(network, front.origin)).rejects.toMatchObject({ code: 'unavailable' });
    expect([front.asked.length, timeouts.map(({ ms }) => ms)]).toEqual([2, [50, 50]]);
  });
});

it('sends PUT (with bytes), HEAD and DELETE; after a redirect with status 301, sends a GET instead of the PUT', async () => {
  const seen: string[] = [];
  const target = await listen((request, response) => {
    request.on('data', (piece: Buffer) => seen.push(piece.toString('hex')));
    request.on('end', () => {
      seen.push(`${request.method} ${request.headers['content-length'] ?? 'none'}`);
      if (request.url === '/moved') response.writeHead(301, { location: '/other' }).end();
      else response.end('ok');
    });
  });
  const { network } = patient({ allowedOrigins: [target.origin] });
  const body = Uint8Array.from([0, 255, 10]);
  expect(await read(network, `${target.origin}/a`, { method: 'PUT', body })).toBe('ok');
  expect(await read(network, `${target.origin}/a`, { method: 'HEAD' })).toBe('');
  await read(network, `${target.origin}/a`, { method: 'DELETE' });
  await read(network, `${target.origin}/moved`, { method: 'PUT', body });
  expect(seen).toEqual(['00ff0a', 'PUT 3', 'HEAD none', 'DELETE none', '00ff0a', 'PUT 3', 'GET none']);
});
