import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../rows/operation.ts';
import { curlCommand } from './curl-command.ts';
import { type KnownNames, NOTHING_KNOWN } from '../../pages/known-names.ts';

const row: Operation = {
  id: 'sendThing',
  method: 'POST',
  path: '/things/:state/',
  auth: 'bearer',
  tag: 'things',
  summary: 'Sends a thing',
  params: z.object({ state: z.string() }),
  body: z.looseObject({}),
  responses: { 200: { description: 'Yes' } },
  errors: [],
  examples: [],
  handler: () => ({ status: 200, json: {} }),
};
const facts = { baseUrl: 'http://localhost:8000/geo', known: NOTHING_KNOWN };

function words(line: string, env: Readonly<Record<string, string>> = {}): readonly string[] {
  const print = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }; ${line}`;
  return execFileSync('sh', ['-c', print], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a shell passes the values of an example to curl unchanged, with any characters', () => {
  const body = { text: `it's "quoted" $HOME \`id\``, year: 2022 };
  const line = curlCommand(
    row,
    { name: 'odd', params: { state: "a b'c" }, query: { q: 'x&y=$1' }, body, status: 200 },
    facts,
  );
  const read = words(line, { TOKEN: 'abc' });
  expect(read).toEqual([
    '-sS',
    '-w',
    '\\n%{http_code}\\n',
    '-H',
    'Authorization: Bearer abc',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(body),
    "http://localhost:8000/geo/things/a%20b'c/?q=x%26y%3D%241",
  ]);
});

test('replaces the names in the examples by names of this service, and keeps other values', () => {
  const known: KnownNames = {
    note: '',
    values: new Map([
      ['state=sample_state', 'punjab'],
      ['layer_name=sample_layer', 'lulc'],
    ]),
    body: { state: 'Punjab', start_year: 2023 },
  };
  const line = (params: Record<string, string>, body: unknown): readonly string[] =>
    words(curlCommand(row, { name: 'x', params, body, status: 200 }, { ...facts, known }), { TOKEN: 'abc' }).slice(-2);
  expect(line({ state: 'sample_state' }, { state: 'Sample State', label: 'x' })).toEqual([
    '{"state":"Punjab","label":"x"}',
    'http://localhost:8000/geo/things/punjab/',
  ]);
  expect(line({ state: 'nowhere' }, { layer_name: 'sample_layer', other: 'sample_layer' })[0]).toBe(
    '{"layer_name":"lulc","other":"sample_layer"}',
  );
  expect(line({ state: 'nowhere' }, [])).toEqual(['[]', 'http://localhost:8000/geo/things/nowhere/']);
});

test('the user name and password of the examples become shell variables', () => {
  const body = { username: 'test_user_0042', password: 'example-password' };
  const line = curlCommand(
    { ...row, auth: 'public' },
    { name: 'right', params: { state: 's' }, body, status: 200 },
    facts,
  );
  expect(words(line, { NAME: 'asha', PASSWORD: 'a b' }).at(-2)).toBe('{"username":"asha","password":"a b"}');
});

test('files are saved; error responses are printed', () => {
  const file: Operation = {
    ...row,
    method: 'GET',
    auth: 'public',
    responses: { 200: { description: 'A file', media: ['image/tiff; application=geotiff'] } },
  };
  const { body: _none, ...get } = file;
  const example = { name: 'x', params: { state: 's' } };
  expect(words(curlCommand(get, { ...example, status: 200 }, facts))).toEqual(
    expect.arrayContaining(['-o', 'sendThing.tif']),
  );
  expect(words(curlCommand(get, { ...example, status: 404 }, facts))).not.toContain('-o');
});
