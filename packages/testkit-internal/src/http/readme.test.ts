import { DomainError } from '@headwater/core';
import type { Policy } from '@headwater/identity';
import { createHeadwater, fieldsBody, json, operation, toFetchHandler } from '@headwater/http-adapter-fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { SAMPLE_SECRET } from './fixture/sample-service.ts';

// Literal copy of the example in packages/http-service/README.md.
const partner: Policy<{ readonly kind: 'partner'; readonly name: string }> = {
  name: 'partnerKey',
  scheme: { type: 'apiKey', in: 'header', name: 'X-Partner-Key' },
  places: [{ in: 'header', name: 'x-partner-key' }],
  refusesFirst: 'method',
  authenticate: async ({ value }) => {
    const name = await partnerOf(value);
    if (name === undefined) throw new DomainError('not_authenticated', 'This partner key is not known.');
    return { kind: 'partner', name };
  },
};

const partnerOf = async (key: string): Promise<string | undefined> => (key === 'k1' ? 'Jal Sahayata' : undefined);

const addNote = operation({
  id: 'addNote',
  method: 'PUT',
  path: '/api/v1/notes/:id/',
  auth: [partner, 'bearer'],
  tag: 'notes',
  summary: 'Keeps a note',
  params: z.object({ id: z.string().max(40) }),
  body: fieldsBody(z.object({ text: z.string().max(400) }), { accepts: ['json', 'form'], limit: 10_000 }),
  responses: { 200: { description: 'Kept', schema: z.object({ by: z.string() }) } },
  errors: ['validation', 'not_authenticated'],
  examples: [{ name: 'short', params: { id: '1' }, body: { text: 'dry well' }, status: 200 }],
  handler: ({ principal }) =>
    json(200, { by: principal.kind === 'partner' ? principal.name : principal.user.username }),
});

it('the operation of the README works as printed', async () => {
  const headwater = createHeadwater({
    baseUrl: 'http://localhost',
    secret: SAMPLE_SECRET,
    operations: [addNote],
    tags: { notes: 'what partners saw' },
  });
  const ask = toFetchHandler(headwater.service);
  const put = (headers: Record<string, string>, body: string): Promise<Response> =>
    ask(new Request('http://localhost/api/v1/notes/1/', { method: 'PUT', headers, body }));
  const response = await put(
    { 'x-partner-key': 'k1', 'content-type': 'application/x-www-form-urlencoded' },
    'text=dry+well',
  );
  expect([response.status, await response.json()]).toEqual([200, { by: 'Jal Sahayata' }]);
  expect((await put({ 'x-partner-key': 'k2', 'content-type': 'application/json' }, '{"text":"a"}')).status).toBe(401);
  expect((await put({ 'content-type': 'application/json' }, '{"text":"a"}')).status).toBe(401);
  await headwater.close();
});
