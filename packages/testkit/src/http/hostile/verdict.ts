import { expect } from 'vitest';
import type { HostileRequest } from './request.ts';
import { MARKUP, SMUGGLED } from './values.ts';

/** What came back of a hostile request. */
export interface HostileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Texts of files beside the store that an answer would hold if it had read them. */
export const OUTSIDE = 'this file lies beside the store';
const OUTSIDE_TEXTS = [OUTSIDE, 'root:x:0:0:'] as const;

/** Throws unless the request was answered as one that means harm: no failure of ours, nothing shown as markup, nothing read elsewhere. */
export function judge(request: HostileRequest, { status, headers, body }: HostileAnswer): void {
  const told = `${status} ${body.slice(0, 2000)}`;
  const isRefused = request.mustFail || request.refused.length > 0;
  // What the row itself refuses is refused before it is seen that the service lacks something.
  if (isRefused || !request.lacks.includes(status)) expect(status, told).toBeLessThan(500);
  if (isRefused) expect(status, told).toBeGreaterThanOrEqual(400);
  // What a host refuses before anybody of ours is asked, such as a path that is none, it words itself.
  if (headers['x-request-id'] === undefined) {
    expect(status, told).toBeGreaterThanOrEqual(400);
    return;
  }
  expect(headers['x-content-type-options'], told).toBe('nosniff');
  expect(headers[SMUGGLED], told).toBeUndefined();
  const type = String(headers['content-type'] ?? '');
  if (/html|xml/.test(type)) expect(body, told).not.toContain(MARKUP);
  for (const text of OUTSIDE_TEXTS) expect(body, told).not.toContain(text);
  if (status === 400 && type.startsWith('application/json')) namesOne(request, body);
  expect(Reflect.get({}, 'polluted'), told).toBeUndefined();
}

/** A refusal of fields tells at least one of them by its name. */
function namesOne({ refused, named, mustFail }: HostileRequest, body: string): void {
  const problem: unknown = JSON.parse(body);
  expect(problem).toEqual(expect.objectContaining({ error: expect.any(String) }));
  // A body that cannot be read has no fields.
  if (refused.length === 0 || mustFail || Reflect.get(Object(problem), 'code') === 'parse') return;
  const text = JSON.stringify(problem);
  expect(
    named.some((name) => text.includes(JSON.stringify(name).slice(1, -1))),
    `${named.join(', ')} in ${text}`,
  ).toBe(true);
}
