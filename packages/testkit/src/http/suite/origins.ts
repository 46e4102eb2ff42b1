import { describe, expect } from 'vitest';
import { PARTNER } from '../probes/origins.ts';
import type { HttpTarget } from '../host/target.ts';
import { defineCase, useHarness } from '../host/harness.ts';

const LOCAL = 'http://localhost:3000';
const FOREIGN = 'https://elsewhere.example';

/** Test cases of origin rules in responses and preflights. */
export function originCases(target: HttpTarget): void {
  describe('origins', () => {
    const harness = useHarness(target);
    const answers = async (method: string, path: string): Promise<(string | null)[]> =>
      Promise.all(
        [LOCAL, FOREIGN, PARTNER].map(async (origin) => {
          const { headers } = await harness().get(`/probe/origins/${path}`, { method, headers: { origin } });
          expect(headers.get('vary')).toContain('Origin');
          return headers.get('access-control-allow-origin');
        }),
      );
    const preflight = async (method: string, origin: string): Promise<string | null> => {
      const headers = { origin, 'access-control-request-method': method };
      const answer = await harness().get('/probe/origins/', { method: 'OPTIONS', headers });
      expect(answer.status).toBe(204);
      return answer.headers.get('access-control-allow-origin');
    };
    defineCase(
      target,
      'allows any origin, no origin, configured origins, or the origins that a function accepts',
      async () => {
        expect(await answers('GET', '')).toEqual([LOCAL, '*', '*']);
        expect(await answers('POST', '')).toEqual([null, null, null]);
        expect(await answers('PUT', '')).toEqual([null, null, PARTNER]);
        expect(await answers('POST', 'any/')).toEqual([LOCAL, '*', '*']);
        expect(await answers('GET', 'configured/')).toEqual([LOCAL, null, null]);
      },
    );
    defineCase(
      target,
      'the preflight of a path with several methods applies the rule of the row of the requested method',
      async () => {
        expect([await preflight('GET', FOREIGN), await preflight('HEAD', FOREIGN)]).toEqual(['*', '*']);
        expect([await preflight('POST', LOCAL), await preflight('POST', PARTNER)]).toEqual([null, null]);
        expect([await preflight('PUT', LOCAL), await preflight('PUT', PARTNER)]).toEqual([null, PARTNER]);
      },
    );
  });
}
