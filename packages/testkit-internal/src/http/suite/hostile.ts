import fc from 'fast-check';
import { buildOperations, type Operation } from '@headwater/http-service';
import { connect } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { SAMPLE_PIPELINES } from '../fixture/sample-service.ts';
import { hostileRequest, type HostileRequest } from '../hostile/request.ts';
import { MARKUP, SMUGGLED } from '../hostile/values.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, sendRaw, useHarness } from './harness.ts';

/** Response to a hostile request. */
export interface HostileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Content of a file outside of the store, which no response may contain. */
export const OUTSIDE = 'this file is outside the store';
const OUTSIDE_TEXTS = [OUTSIDE, 'root:x:0:0:'] as const;

/**
 * Throws for a wrong response: a server error, accepted invalid input, unescaped markup, content of a file outside of
 * the store, or an error that names no invalid field.
 */
export function judge(request: HostileRequest, { status, headers, body }: HostileAnswer): void {
  const summary = `${status} ${body.slice(0, 2000)}`;
  const isRefused = request.mustFail || request.refused.length > 0;
  // A valid request may get a status in `lacks`, such as 503 for a missing part of the sample service. Invalid input
  // must be refused with a status from 400 to 499.
  if (isRefused || !request.lacks.includes(status)) expect(status, summary).toBeLessThan(500);
  if (isRefused) expect(status, summary).toBeGreaterThanOrEqual(400);
  // A response without the service's request id comes from the host, which has rejected the request.
  if (headers['x-request-id'] === undefined) {
    expect(status, summary).toBeGreaterThanOrEqual(400);
    return;
  }
  expect(headers['x-content-type-options'], summary).toBe('nosniff');
  expect(headers[SMUGGLED], summary).toBeUndefined();
  const type = String(headers['content-type'] ?? '');
  if (/html|xml/.test(type)) expect(body, summary).not.toContain(MARKUP);
  for (const text of OUTSIDE_TEXTS) expect(body, summary).not.toContain(text);
  if (status === 400 && type.startsWith('application/json')) namesOne(request, body);
  expect(Reflect.get({}, 'polluted'), summary).toBeUndefined();
}

function namesOne({ refused, named, mustFail }: HostileRequest, body: string): void {
  const problem: unknown = JSON.parse(body);
  expect(problem).toEqual(expect.objectContaining({ code: expect.any(String), status: expect.anything() }));
  // An error cannot name fields of a body that cannot be parsed.
  if (refused.length === 0 || mustFail || Reflect.get(Object(problem), 'code') === 'parse') return;
  const text = JSON.stringify(problem);
  expect(
    named.some((name) => text.includes(JSON.stringify(name).slice(1, -1))),
    `${named.join(', ')} in ${text}`,
  ).toBe(true);
}

/** Test cases of hostile requests over a connection, so that the host is tested too. */
export function hostileCases(target: HttpTarget, numRuns: number): void {
  describe('hostile requests', () => {
    const harness = useHarness(target);
    for (const row of buildOperations(SAMPLE_PIPELINES))
      defineCase(target, `to ${row.id} are refused if they are invalid, and cause no harm`, async () => {
        const send = fc.asyncProperty(hostileRequest(row), async (request) => {
          const headers = { ...request.headers, ...(await harness().credentials(row)) };
          const { method, target: path, body } = request;
          const answer = await sendRaw(harness().host.url, path, {
            method,
            headers,
            chunks: body === undefined ? [] : [body],
          });
          judge(request, answer);
        });
        await fc.assert(send, { numRuns, seed: seedOf(row) });
      });
    for (const [name, text] of Object.entries(RAW))
      defineCase(target, `${name}: is refused, and the next request is served`, async () => {
        const { host, get } = harness();
        expect(await exchange(host.url, text)).toMatch(/^HTTP\/1\.1 4\d\d /);
        expect((await get('/probe/get/')).status).toBe(200);
      });
  });
}

/** Test cases of typed addresses with place names that are not percent-encoded. */
export function rawAddressCases(target: HttpTarget): void {
  describe('addresses that are not percent-encoded', () => {
    const harness = useHarness(target);
    defineCase(target, 'are refused in the format of other errors, with the remedy', async () => {
      const name = Buffer.from('\u092e\u0928\u093e\u0932\u0940', 'utf8').toString('latin1');
      for (const text of [`${STATES}?tehsil=${name}${HEAD}\r\n`, `GET /api/v1/get_districts/${name}/${HEAD}\r\n`]) {
        const [head = '', body = ''] = (await exchange(harness().host.url, text)).split('\r\n\r\n');
        expect(head).toMatch(/^HTTP\/1\.1 400 /);
        expect(head).toMatch(/\r\nContent-Type: application\/json/);
        expect(JSON.parse(body)).toMatchObject({
          status: 400,
          code: 'parse',
          detail: expect.stringMatching(/percent-encode/),
          request_id: expect.any(String),
        });
      }
    });
    defineCase(target, 'input that is not HTTP is refused in the same format', async () => {
      const [, body = ''] = (await exchange(harness().host.url, 'hello\r\n\r\n')).split('\r\n\r\n');
      expect(JSON.parse(body)).toMatchObject({
        status: 400,
        code: 'parse',
        detail: expect.stringMatching(/not valid HTTP/),
      });
    });
  });
}

const STATES = 'GET /api/v1/get_states/';
const HEAD = ' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';

/** Requests that no client library sends. Each character is a byte. */
const RAW: Readonly<Record<string, string>> = {
  // This query is longer than Node's limit, but short enough to arrive before the response.
  'a query of 20 kB': `${STATES}?a=${'x'.repeat(20_000)}${HEAD}\r\n`,
  'bytes in a path that are not UTF-8': `GET /api/v1/get_districts/\u00ff\u00fe/${HEAD}\r\n`,
  'bytes in a query that are not UTF-8': `${STATES}?a=\u00ff${HEAD}\r\n`,
  'a NUL in a path': `GET /api/v1/get_districts/\u0000/${HEAD}\r\n`,
  'a NUL in a header': `${STATES}${HEAD}X-A: b\u0000c\r\n\r\n`,
  'a header split by a carriage return': `${STATES}${HEAD}X-A: b\rX-B: c\r\n\r\n`,
  'a header without a name': `${STATES}${HEAD}: b\r\n\r\n`,
  'two lengths of a body': `POST /api/v1/auth/login/${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length and chunks': `POST /api/v1/auth/login/${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a negative length': `POST /api/v1/auth/login/${HEAD}Content-Length: -1\r\n\r\n{}`,
};

/** Sends the text. Returns everything that arrives until the connection closes. */
async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  // The server may close the connection before it has read the text.
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text, 'latin1');
  await closed;
  return answer;
}

/** Fixed seed for the random requests to an operation. */
export const seedOf = ({ id }: Pick<Operation, 'id'>): number =>
  Buffer.from(id).reduce((sum, byte) => (sum * 31 + byte) | 0, 7);
