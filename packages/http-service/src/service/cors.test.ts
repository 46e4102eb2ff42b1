import { expect, test } from 'vitest';
import type { CorsRule } from '../rows/operation.ts';
import type { ServiceRequest } from '../seam/request.ts';
import { addCors } from './cors.ts';

const request = (origin?: string): ServiceRequest => ({
  method: 'GET',
  url: '/',
  headers: origin === undefined ? {} : { origin },
  body: { kind: 'none' },
  remoteAddress: undefined,
  signal: new AbortController().signal,
});

function allowed(origin: string | undefined, isAny: boolean): unknown {
  const headers: Record<string, string | readonly string[]> = { vary: 'Accept' };
  addCors(headers, request(origin), () => ({
    cors: { origins: ['https://app.example'] },
    rule: isAny ? 'any' : 'configured',
    report: () => {},
  }));
  expect(headers['vary']).toBe('Accept, Origin');
  return headers['access-control-allow-origin'];
}

test('configured and local origins are returned in the header; other origins get * under the rule any and no header under configured', () => {
  expect(allowed('https://app.example', false)).toBe('https://app.example');
  for (const local of ['http://localhost:3000', 'https://127.0.0.1', 'http://192.168.1.20:8080']) {
    expect(allowed(local, false)).toBe(local);
  }
  expect(allowed('https://evil.example', true)).toBe('*');
  expect(allowed('https://evil.example', false)).toBeUndefined();
  expect(allowed(undefined, true)).toBeUndefined();
});

test('host names that only begin like local ones are not local', () => {
  for (const origin of [
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://192.168.1.evil',
    'null',
  ]) {
    expect(allowed(origin, false)).toBeUndefined();
  }
});

test('the rule none allows no origin, not even a configured one; a function allows only the origins that it accepts, with credentials', () => {
  const under = (rule: CorsRule, origin: string): unknown => {
    const headers: Record<string, string | readonly string[]> = {};
    addCors(headers, request(origin), () => ({ cors: { origins: ['https://app.example'] }, rule, report: () => {} }));
    return [headers['access-control-allow-origin'], headers['access-control-allow-credentials']];
  };
  for (const origin of ['https://app.example', 'http://localhost:3000']) {
    expect(under('none', origin)).toEqual([undefined, undefined]);
    expect(under((each) => each.endsWith('.partner.example'), origin)).toEqual([undefined, undefined]);
  }
  const partner = 'https://maps.partner.example';
  expect(under((each) => each.endsWith('.partner.example'), partner)).toEqual([partner, 'true']);
});

test('a rule that throws allows no origin and is reported', () => {
  const headers: Record<string, string | readonly string[]> = {};
  const reported: unknown[] = [];
  const rule = (): boolean => {
    throw new Error('no list of partners');
  };
  addCors(headers, request('https://maps.partner.example'), () => ({
    cors: { origins: [] },
    rule,
    report: (error) => reported.push(error),
  }));
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(reported).toEqual([expect.objectContaining({ message: 'no list of partners' })]);
});
