import { describe, expect } from 'vitest';
import { createSampleService } from '../fixture/sample-service.ts';
import { SMALL_LIMIT } from '@headwater/testkit/http';
import { createProbes } from '@headwater/testkit/http';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit, useHarness } from './harness.ts';

const FORM = '/probe/form/';
const URLENCODED = { 'content-type': 'application/x-www-form-urlencoded' };

/** Test cases of fields by media type, of raw bytes, of body limits, and of ignored content types ("lenient"). */
export function fieldsCases(target: HttpTarget): void {
  describe('fields and bytes', () => {
    const harness = useHarness(target);
    const post = async (path: string, init: RequestInit): Promise<{ status: number; body: unknown }> => {
      const answer = await harness().get(path, { method: 'POST', ...init });
      return { status: answer.status, body: await answer.json() };
    };
    defineCase(target, 'reads the same fields from JSON, form and multipart', async () => {
      const named = { status: 200, body: { name: 'né & co', picture: null } };
      expect(await post(FORM, jsonInit({ name: 'né & co' }))).toEqual(named);
      expect(await post(FORM, { body: new URLSearchParams({ name: 'né & co' }) })).toEqual(named);
      expect(await post(FORM, { body: formOf({ name: 'né & co' }) })).toEqual(named);
    });
    defineCase(target, 'reads a file among fields; an empty file input is ignored', async () => {
      const picture = new File(['hello'], 'dir/né.png', { type: 'image/png' });
      const { body } = await post(FORM, { body: formOf({ name: 'x', picture }) });
      expect(body).toMatchObject({ name: 'x', picture: { type: 'image/png', text: 'hello', size: 5 } });
      const empty = new File([], '', { type: 'application/octet-stream' });
      expect(await post(FORM, { body: formOf({ name: 'x', picture: empty }) })).toMatchObject({
        status: 200,
        body: { picture: null },
      });
    });
    defineCase(target, 'validates fields in the same way for every media type', async () => {
      for (const init of [
        jsonInit({}),
        { body: new URLSearchParams() },
        { body: new URLSearchParams({ other: '1' }) },
        { body: formOf({ other: '1' }) },
      ]) {
        expect(await post(FORM, init)).toMatchObject({ status: 400, body: { name: ['This field is required.'] } });
      }
    });
    defineCase(target, 'a form with repeated, undecodable or unstorable fields gets 400', async () => {
      for (const body of ['name=a&name=b', 'name=%ff', 'name=%00', 'name=\u0000']) {
        expect((await post(FORM, { headers: URLENCODED, body })).status).toBe(400);
      }
      const part = Buffer.from(
        '--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\n\u00ff\r\n--edge--',
        'latin1',
      );
      const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
      expect(await post(FORM, { headers, body: part })).toMatchObject({ status: 400, body: { code: 'parse' } });
      const twice = formOf({ name: 'a' });
      twice.append('name', 'b');
      expect(await post(FORM, { body: twice })).toMatchObject({
        status: 400,
        body: { name: [expect.stringMatching(/once/)] },
      });
    });
    defineCase(target, 'a form may have a field named __proto__', async () => {
      for (const init of [
        { headers: URLENCODED, body: 'name=a&__proto__=1' },
        { body: formOf({ name: 'a', __proto_: '1', ['__proto__']: '1' }) },
      ]) {
        expect((await post(FORM, init)).status).toBe(200);
      }
      expect(({} as { 1?: unknown })[1]).toBeUndefined();
    });
    limitCases(target, harness);
  });
}

function limitCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  const large = 'x'.repeat(SMALL_LIMIT);
  const status = async (path: string, init: RequestInit): Promise<number> =>
    (await harness().get(path, { method: 'POST', ...init })).status;
  defineCase(target, 'the body limit of a row applies to every media type', async () => {
    expect(await status(FORM, jsonInit({ name: large }))).toBe(413);
    expect(await status(FORM, { body: new URLSearchParams({ name: large }) })).toBe(413);
    expect(await status(FORM, { body: formOf({ name: large }) })).toBe(413);
    expect(await status(FORM, { body: formOf({ name: 'x', picture: new File([large], 'a.png') }) })).toBe(413);
    expect(await status('/probe/raw/', { method: 'PUT', ...octets(new Uint8Array(SMALL_LIMIT + 1)) })).toBe(413);
  });
  defineCase(target, 'raw bytes arrive unchanged; a body with another content type gets 415', async () => {
    const answer = await harness().get('/probe/raw/', { method: 'PUT', ...octets(Uint8Array.of(0, 255, 1)) });
    expect(await answer.json()).toEqual({ bytes: [0, 255, 1], length: 3 });
    expect(await status('/probe/raw/', { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' })).toBe(
      415,
    );
    const none = await harness().get('/probe/raw/', { method: 'PUT' });
    expect(await none.json()).toEqual({ bytes: [], length: 0 });
  });
  defineCase(target, 'a lenient row ignores the content type, but not the body limit', async () => {
    const plain = { 'content-type': 'text/plain' };
    for (const [init, read] of [
      [{ headers: plain, body: '{"a":"1"}' }, { a: '1' }],
      [{ headers: URLENCODED, body: '\n{"a":"1"}' }, { a: '1' }],
      [
        { headers: plain, body: 'a=1&b.c=%26' },
        { a: '1', 'b.c': '&' },
      ],
      [{ headers: plain, body: '' }, {}],
      [{ headers: URLENCODED, body: ' ' }, {}],
    ] as const) {
      const answer = await harness().get('/probe/lenient/', { method: 'POST', ...init });
      expect([init, answer.status, await answer.json()]).toEqual([init, 200, { body: read }]);
    }
    for (const init of [
      { headers: { 'content-type': 'application/json' }, body: '{"a":' },
      { headers: plain, body: '{"a":' },
      { headers: plain, body: 'hello' },
      { headers: plain, body: 'Dear all, x = 1' },
      { headers: URLENCODED, body: 'a=%ff' },
    ])
      expect([init, await status('/probe/lenient/', init)]).toEqual([init, 400]);
    expect(await status('/probe/lenient/', jsonInit({ a: large }))).toBe(413);
  });
  defineCase(target, 'accepts fields that the host parsed from JSON or a URL-encoded form', async () => {
    const errors: string[] = [];
    const { operations, tags } = createProbes();
    const logger = { debug() {}, info() {}, error: (facts: unknown) => void errors.push(JSON.stringify(facts)) };
    const { service } = await createSampleService({ operations, tags, logger });
    const host = await target.start({ mounts: [{ service, prefix: '' }], parseBefore: true });
    try {
      const form = await fetch(host.url + FORM, { method: 'POST', body: new URLSearchParams({ name: 'x' }) });
      expect(await form.json()).toEqual({ name: 'x', picture: null });
      for (const path of [FORM, '/probe/parts/']) {
        const multipart = await fetch(host.url + path, { method: 'POST', body: formOf({ name: 'x' }) });
        expect(multipart.status).toBe(500);
        expect(errors.pop()).toContain('a multipart parser of the host read this body; mount the service before it');
      }
      await parsedAlike(host.url);
      expect((await fetch(`${host.url}/probe/raw/json/`, jsonInit({ a: 1 }))).status).toBe(500);
      expect(errors.pop()).toContain('a parser of the host read this body; mount the service before it');
    } finally {
      await host.close();
      await service.close();
    }
  });
}

async function parsedAlike(url: string): Promise<void> {
  const status = async (path: string, init: RequestInit): Promise<number> => (await fetch(url + path, init)).status;
  const form = (name: string): RequestInit => ({ method: 'POST', body: new URLSearchParams({ name }) });
  expect(await status('/probe/form/only/', form('x'))).toBe(200);
  expect(await status('/probe/form/only/', jsonInit({ name: 'x' }))).toBe(415);
  expect(await status('/probe/body/', form('x'))).toBe(415);
  expect(await status('/probe/raw/', { ...jsonInit({ a: 1 }), method: 'PUT' })).toBe(415);
  const lenient = await fetch(`${url}/probe/lenient/`, jsonInit({ a: 1 }));
  expect(await lenient.json()).toEqual({ body: { a: 1 } });
  const large = 'x'.repeat(SMALL_LIMIT);
  expect(await status(FORM, jsonInit({ name: large }))).toBe(413);
  expect(await status(FORM, form(large))).toBe(413);
  const body = new Blob([JSON.stringify({ name: large })]).stream();
  const chunked = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' } as const;
  expect(await status(FORM, chunked)).toBe(413);
}

function octets(body: Uint8Array<ArrayBuffer>): RequestInit {
  return { headers: { 'content-type': 'application/octet-stream' }, body };
}

function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
