import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import type { OpenApiDocument } from '@headwater/http-service';
import { expect, test } from 'vitest';
import { generatedFiles } from './openapi.ts';

const FILE = new URL('../docs/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(FILE, 'utf8')) as OpenApiDocument;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

test('the document and the types of the client match the table of operations (npm run openapi writes them)', async () => {
  const [[, text] = ['', ''], [path, types] = ['', '']] = await generatedFiles();
  expect(document).toEqual(JSON.parse(text));
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8') === types, `${path} is current`).toBe(true);
});

test('the recommended rules of redocly find no error', async () => {
  // Many addresses of the specification end with a slash, so this rule is off.
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-path-trailing-slash': 'off' } });
  const problems = await lint({ ref: FILE.pathname, config });
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('every operation states the credentials that it needs; a public operation has an empty list', () => {
  expect(operations.filter(({ security }) => security === undefined)).toEqual([]);
  const byId = new Map(operations.map(({ operationId, security }) => [operationId, security]));
  expect([byId.get('getHealth'), byId.get('listRuns')]).toEqual([[], [{ bearer: [] }, { session: [] }]]);
});

test('every parameter for a number, such as limit, zoom or state_id, has the type integer', () => {
  const names = new Set(
    'limit page offset count startIndex last_event_id class zoom row col state_id district_id project_pk'.split(' '),
  );
  const numbers = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.filter(({ name }) => names.has(name)).map(({ name, schema }) => ({ operationId, name, schema })),
  );
  expect(numbers.length).toBeGreaterThan(35);
  expect(numbers.filter(({ schema }) => Object(schema).type !== 'integer')).toEqual([]);
  expect(JSON.stringify(numbers)).not.toMatch(/"(?:pattern|minLength|maxLength)"/);
});

test('every JSON response has a schema, except responses with a part of a document (206)', () => {
  const without = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content)
        // The body of a 206 is only a part of a document.
        .filter(([type, { schema }]) => status !== '206' && /[/+]json\b/.test(type) && schema === undefined)
        .map(([type]) => `${operationId} ${status} ${type}`),
    ),
  );
  expect(without).toEqual([]);
});
