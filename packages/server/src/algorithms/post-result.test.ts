import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { postResult } from './post-result.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serving(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
}

const target = (service: string) => ({
  service,
  secret: 'a secret of the service',
  jobId: 'a/b',
  signal: new AbortController().signal,
  sleep: async () => {},
});

it('posts a result to its job with the secret of the service', async () => {
  const requests: unknown[] = [];
  const service = await serving(({ method, url, headers }, answer) => {
    requests.push([method, url, headers['x-work-service-secret']]);
    answer.end('{}');
  });
  await postResult({ ok: true, result: {} }, target(service));
  expect(requests).toEqual([['POST', '/api/jobs/a%2Fb/result', 'a secret of the service']]);
});

it('reads only the start of an endless error response', async () => {
  const service = await serving((_request, answer) => {
    answer.writeHead(400);
    const more = (): void => {
      while (!answer.destroyed && answer.write('no '.repeat(10_000)));
    };
    answer.on('drain', more);
    more();
  });
  const refused = await postResult({ ok: true, result: {} }, target(service)).catch((error: unknown) => String(error));
  expect(refused).toMatch(/the service answered 400 no no /);
  expect(String(refused).length).toBeLessThan(700);
});

/** Starts a service that closes the connection of the first `lost` requests, and then responds with 409. */
const storing = (lost: number): Promise<string> => {
  let calls = 0;
  return serving((request, answer) => {
    request.resume().on('end', () => {
      calls += 1;
      if (calls <= lost) request.socket.destroy();
      else
        answer
          .writeHead(409)
          .end(
            '{"detail":"The job already has a result, which cannot be replaced. If an earlier attempt posted it, nothing is left to do."}',
          );
    });
  });
};

it('treats a 409 after a lost response as a stored result', async () => {
  await expect(postResult({ ok: true, result: {} }, target(await storing(1)))).resolves.toBeUndefined();
});

it('throws if the job already has another result', async () => {
  await expect(postResult({ ok: true, result: {} }, target(await storing(0)))).rejects.toThrow(
    /the service answered 409 /,
  );
});
