import { expect, test } from 'vitest';
import type { Operation } from '../operation.ts';
import { compileRouter, compileRoutes, decodeParams } from './router.ts';

const row = (method: 'GET' | 'POST', path: string, id = `${method}${path}`): Operation => ({
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

const router = compileRouter(
  compileRoutes([
    row('GET', '/'),
    row('GET', '/a/:x/'),
    row('POST', '/a/:x/'),
    row('GET', '/a/fixed/'),
    row('GET', '/a/:x/b'),
  ]),
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
  expect(() => compileRoutes([row('GET', '/a'), row('GET', '/a')])).toThrow(/two rows for GET \/a/);
  expect(() => compileRoutes([row('GET', '/a', 'same'), row('GET', '/b', 'same')])).toThrow(/two rows named same/);
});
