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

test('fixed paths win over parameters, with and without trailing slash', () => {
  expect(router('/a/fixed')?.route.path).toBe('/a/fixed/');
  expect(router('/a/other/')?.params).toEqual({ x: 'other' });
  expect(router('/')?.route.path).toBe('/');
});

test('an empty segment, another depth and inherited names match nothing', () => {
  for (const path of ['/a/', '/a//', '/a/x/y', '/constructor', '/a/x/b/c', '']) expect(router(path)).toBeUndefined();
});

test('methods of one path are one route with one Allow', () => {
  expect(router('/a/x')?.route.allow).toBe('GET, POST, HEAD, OPTIONS');
});

test('parameters are decoded once; a malformed one is named', () => {
  expect(decodeParams({ x: '%252F' })).toEqual({ x: '%2F' });
  expect(() => decodeParams({ x: '%ff' })).toThrow(/^x: malformed/);
});

test('two rows for one method and path, or of one id, are refused', () => {
  expect(() => compileRoutes([row('GET', '/a'), row('GET', '/a')], DEFAULTS)).toThrow(/two rows for GET \/a/);
  expect(() => compileRoutes([row('GET', '/a', 'same'), row('GET', '/b', 'same')], DEFAULTS)).toThrow(
    /two rows named same/,
  );
});

test('one path spelled in two ways is refused, and every clash is told at once', () => {
  const rows = [row('GET', '/a/:x/'), row('POST', '/a/:y'), row('GET', '/b'), row('PUT', '/b/'), row('GET', '/b')];
  expect(() => compileRoutes(rows, DEFAULTS)).toThrow(
    /two rows for GET \/b.*two rows named GET\/b.*\/a\/:x\/ and \/a\/:y are one path.*\/b and \/b\/ are one path/,
  );
});
