import { once } from 'node:events';
import { createServer } from 'node:http';
import { assert, expect, it } from 'vitest';
import { readConfig } from './config/read-config.ts';
import { orchestratorParts, reachPublic } from './orchestrator.ts';

const REST = {
  ORCHESTRATOR_DAG_ID: 'headwater',
  ORCHESTRATOR_TOKEN: 'secret',
  SERVICE_API_BASE: 'http://headwater:8000',
};

it('creates the backend and the jobs of an orchestrator only if ORCHESTRATOR_API_BASE is set', () => {
  expect(orchestratorParts(readConfig({ ...REST, ORCHESTRATOR_API_BASE: '' }))).toEqual({});
  const parts = orchestratorParts(readConfig({ ...REST, ORCHESTRATOR_API_BASE: 'http://airflow:8080' }));
  expect(Object.keys(parts).sort()).toEqual(['backend', 'jobs']);
});

it('requests the first byte of an external file; a file in a private network is requested only if its origin is allowed', async () => {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    requests.push([request.method, request.url, request.headers.range]);
    response.writeHead(206).end('x');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  const origin = `http://127.0.0.1:${address.port}`;
  const { signal } = new AbortController();
  try {
    const allowed = reachPublic(readConfig({ EO_ALLOWED_ORIGINS: origin }));
    expect(await allowed(`${origin}/map.tif?signature=1`, signal)).toBe(206);
    await expect(reachPublic(readConfig({}))(`${origin}/map.tif`, signal)).rejects.toMatchObject({
      code: 'input_data',
    });
    expect(requests).toEqual([['GET', '/map.tif?signature=1', 'bytes=0-0']]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
