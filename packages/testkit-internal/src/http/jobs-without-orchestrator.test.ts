import { createHeadwater, toFetchHandler } from '@headwater/http-adapter-fastify';
import { expect, it } from 'vitest';
import { SAMPLE_SECRET } from './fixture/sample-service.ts';

it('a service without an orchestrator refuses a job, and the response says what the operator must set', async () => {
  const remedies = { orchestrator: 'Set the orchestrator.' };
  const headwater = createHeadwater({ baseUrl: 'http://localhost', secret: SAMPLE_SECRET, remedies, workService: {} });
  const body = JSON.stringify({ op: 'export', params: { region: [85, 24, 85.02, 24.02], year: 2021 } });
  const headers = { 'content-type': 'application/json' };
  const ask = toFetchHandler(headwater.service);
  const answer = await ask(new Request('http://localhost/api/jobs', { method: 'POST', headers, body }), {
    remoteAddress: '::1',
  });
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining('This service has no orchestrator for jobs. Set the orchestrator.'),
  ]);
  await headwater.close();
});
