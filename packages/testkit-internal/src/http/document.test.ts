import { buildOperations, type Headwater, openApiPath, type Operation, toFetchHandler } from '@headwater/http-service';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { committedDocument } from './committed-document.fixture.ts';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from './fixture/sample-service.ts';
import { exampleUrl } from './suite/examples.ts';
import { jsonInit } from './suite/harness.ts';

const document = committedDocument();
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

const REFUSED: ReadonlySet<number> = new Set([400, 413, 415]);

/**
 * Operations that refuse a missing body, but here return another status: `setPasswordByLink` needs an unused link, and
 * `importByAdminForm` first checks the sender.
 */
const OTHERWISE: ReadonlySet<string> = new Set(['setPasswordByLink', 'importByAdminForm']);

describe('the document marks required request bodies', () => {
  let headwater: Headwater;
  let send: (row: Operation) => Promise<Response>;
  beforeAll(async () => {
    headwater = await createSampleService();
    const handler = toFetchHandler(headwater.service);
    const { access } = await headwater.accounts.login(SAMPLE_USERS.operator, undefined);
    send = async (row) => {
      const example = row.examples.find(({ status }) => status < 400) ?? row.examples[0];
      const headers = row.auth === 'public' ? undefined : { authorization: `Bearer ${access}` };
      const path = example === undefined ? row.path : exampleUrl(row, example);
      const init = { method: row.method, ...(headers === undefined ? {} : { headers }) };
      return await handler(new Request(`http://headwater.example${path}`, init));
    };
  });
  afterAll(async () => await headwater.close());

  const rows = buildOperations(SAMPLE_PIPELINES).filter(({ body }) => body !== undefined);
  it.each(rows.map((row) => [row.id, row] as const))('%s', async (_id, row) => {
    const described = document.paths[openApiPath(row.path)]?.[row.method.toLowerCase()];
    const answer = await send(row);
    const isRefused = OTHERWISE.has(row.id) || REFUSED.has(answer.status);
    const why = `${answer.status} ${await answer.text()}`;
    expect(described?.requestBody?.required, why).toBe(isRefused);
    expect(Object.keys(described?.responses ?? {})).toEqual(expect.arrayContaining(['400', '413', '415']));
  });
});

interface TextSchema {
  readonly pattern: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

function patterned(value: unknown, found = new Map<string, TextSchema>()): ReadonlyMap<string, TextSchema> {
  if (typeof value !== 'object' || value === null) return found;
  if ('pattern' in value && typeof value.pattern === 'string') found.set(JSON.stringify(value), value as TextSchema);
  for (const each of Object.values(value)) patterned(each, found);
  return found;
}

/** Syntax that JavaScript, Python and Rust interpret differently. In Python, `\d` matches every Unicode digit. */
const DIFFERENT = /\\[dDwWsSbBpP0-9k]|\(\?[=!<]/;

describe('patterns of the document', () => {
  it.each([...patterned(document)])(
    '%s has the same meaning in every language, and values generated from it are valid',
    (_text, schema) => {
      expect(schema.pattern).not.toMatch(DIFFERENT);
      const validate = ajv.compile(schema);
      const { minLength = 0, maxLength = Infinity } = schema;
      const matching = fc
        .stringMatching(new RegExp(schema.pattern, 'u'))
        .filter((text) => text.length >= minLength && text.length <= maxLength);
      fc.assert(
        fc.property(matching, (text) => validate(text)),
        { numRuns: 50 },
      );
    },
  );
});

/** Valid and invalid e-mail addresses. On some, standards, browsers and this service disagree. */
const ADDRESSES = [
  'owner@example.org',
  'first.last+tag@sub.example.org',
  "o'neil@example.org",
  'a@b',
  'owner@localhost',
  '"quoted name"@example.org',
  'a!b@example.org',
  'a..b@example.org',
  '.a@example.org',
  'a.@example.org',
  'a b@example.org',
  'owner@example',
  'owner@-example.org',
  'owner@example-.org',
  'owner@example.c',
  'owner@[127.0.0.1]',
  'असीम@example.org',
  'owner@उदाहरण.भारत',
  'owner@example.org\n',
  `${'a'.repeat(250)}@example.org`,
  'none',
  '',
];

describe('e-mail addresses', () => {
  let headwater: Headwater;
  let create: (body: object) => Promise<Response>;
  beforeAll(async () => {
    headwater = await createSampleService();
    const handler = toFetchHandler(headwater.service);
    const { access } = await headwater.accounts.login(SAMPLE_USERS.operator, undefined);
    const row = buildOperations(SAMPLE_PIPELINES).find(({ id }) => id === 'createEoAccount');
    const url = `http://headwater.example${row?.path}`;
    create = async (body) => await handler(new Request(url, jsonInit(body, { authorization: `Bearer ${access}` })));
  });
  afterAll(async () => await headwater.close());

  const validate = ajv.compile(documented('NewEoAccount'));
  it.each(ADDRESSES.map((address, index) => [address, index] as const))(
    '%j is accepted if and only if the document allows it',
    async (address, index) => {
      const body = { name: `account ${index}`, account_email: address };
      expect((await create(body)).status).toBe(validate(body) ? 201 : 400);
    },
  );
});

function documented(name: string): object {
  const { schemas = {} } =
    (document as { readonly components?: { readonly schemas?: Record<string, object> } }).components ?? {};
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`the document has no schema ${name}`);
  return schema;
}
