import { expect, test } from 'vitest';
import type { Method, Operation } from '../rows/operation.ts';
import { compileRoutes } from './route.ts';
import { compileRouter, decodeParams } from './router.ts';

const row = (method: Method, path: string, id = `${method}${path}`): Operation => ({
  id,
  method,
  path,
  auth: 'public',
  tag: 'system',
  summary: 'A row',
  responses: {},
  errors: [],
  examples: [],
  handler: () => ({ status: 200, json: {} }),
});

const DEFAULTS = { bodyLimit: 1024 };
const router = compileRouter(
  compileRoutes(
    [row('GET', '/'), row('GET', '/a/:x/'), row('POST', '/a/:x/'), row('GET', '/a/fixed/'), row('GET', '/a/:x/b')],
    DEFAULTS,
  ),
);

test('fixed paths take precedence over parameters, with and without trailing slash', () => {
  expect(router('/a/fixed')?.route.path).toBe('/a/fixed/');
  expect(router('/a/other/')?.params).toEqual({ x: 'other' });
  expect(router('/')?.route.path).toBe('/');
});

test('empty segments, other depths and inherited names match nothing', () => {
  for (const path of ['/a/', '/a//', '/a/x/y', '/constructor', '/a/x/b/c', '']) expect(router(path)).toBeUndefined();
});

test('rows of the same path with different methods become one route with one value of Allow', () => {
  expect(router('/a/x')?.route.allow).toBe('GET, POST, HEAD, OPTIONS');
});

test('decodes parameters once; the error about a malformed parameter names it', () => {
  expect(decodeParams({ x: '%252F' })).toEqual({ x: '%2F' });
  expect(() => decodeParams({ x: '%ff' })).toThrow(/^x: malformed/);
});

test('refuses two rows with equal method and path, or with equal ids', () => {
  expect(() => compileRoutes([row('GET', '/a'), row('GET', '/a')], DEFAULTS)).toThrow(/two rows for GET \/a/);
  expect(() => compileRoutes([row('GET', '/a', 'same'), row('GET', '/b', 'same')], DEFAULTS)).toThrow(
    /two rows named same/,
  );
});

test('refuses two spellings of one path, and lists all clashes', () => {
  const rows = [row('GET', '/a/:x/'), row('POST', '/a/:y'), row('GET', '/b'), row('PUT', '/b/'), row('GET', '/b')];
  expect(() => compileRoutes(rows, DEFAULTS)).toThrow(
    /two rows for GET \/b.*two rows named GET\/b.*\/a\/:x\/ and \/a\/:y are one path.*\/b and \/b\/ are one path/,
  );
});
