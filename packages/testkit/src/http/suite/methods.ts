import { describe, expect } from 'vitest';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, jsonInit, sendRaw, useHarness } from '../host/harness.ts';

const PATH = '/probe/methods/7/';

/** Test cases of PUT, PATCH and DELETE, with and without bodies. */
export function methodCases(target: HttpTarget): void {
  describe('methods', () => {
    const harness = useHarness(target);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      defineCase(target, `${method} reaches its operation with parameters and body`, async () => {
        const answer = await harness().get(PATH, { ...jsonInit({ a: 1 }), method });
        expect(await answer.json()).toEqual({ params: { id: '7' }, body: { a: 1 }, method });
      });
      defineCase(target, `${method} without a body is accepted`, async () => {
        const answer = await sendRaw(harness().host.url, PATH, { method });
        expect(JSON.parse(answer.body)).toEqual({ params: { id: '7' }, body: {}, method });
      });
    }
    defineCase(target, 'a path with only PUT, PATCH and DELETE returns 405 with Allow to other methods', async () => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await harness().get(PATH, { method });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT, PATCH, DELETE, OPTIONS']);
      }
    });
    defineCase(target, 'accepts a path parameter of 180 characters: ids of Items can be long', async () => {
      const id = `sample_state_${'a'.repeat(167)}`;
      expect(id).toHaveLength(180);
      const answer = await harness().get(`/probe/methods/${id}`, { method: 'DELETE' });
      expect(await answer.json()).toMatchObject({ params: { id } });
      const item = await harness().get(`/api/v1/stac/sample_state/sample_district/sample_tehsil/items/${id}/`);
      expect([item.status, ((await item.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    });
  });
}
