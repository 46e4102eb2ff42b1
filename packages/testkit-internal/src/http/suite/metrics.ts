import { createHeadwater, EXAMPLE_METRICS_TOKEN } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_SECRET, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { createScreenBrowser } from './screen-browser.ts';
import { signInBrowser } from './screens.ts';

const METRICS = '/metrics';
/** Headers of requests through a proxy on this machine. */
const PASSED_ON = [
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1' },
  { forwarded: 'for=127.0.0.1' },
  { via: '1.1 proxy' },
  { 'x-real-ip': '127.0.0.1' },
] as const;
const [BEHIND] = PASSED_ON;

/** Test cases of access to metrics: programs on this machine, clients with the token, superusers. */
export function metricsCases(target: HttpTarget): void {
  describe('the metrics', () => {
    const harness = useHarness(target);
    const statusFor = async (headers: Record<string, string>): Promise<number> =>
      (await harness().get(METRICS, { headers })).status;
    const bearer = (token: string) => ({ ...BEHIND, authorization: `Bearer ${token}` });

    defineCase(target, 'are sent to a program on this machine, as text that is not cached', async () => {
      const answer = await harness().get(METRICS);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      const text = await answer.text();
      expect(text).toContain('\nheadwater_database_up 1\n');
      expect(text).toContain('headwater_runs_ended_last_hour{pipeline="lulc_for_tehsil",state="success"} 1\n');
    });

    defineCase(target, 'are refused to requests that a proxy has passed on', async () => {
      for (const headers of PASSED_ON) expect([headers, await statusFor(headers)]).toEqual([headers, 401]);
      const answer = await harness().get(METRICS, { headers: BEHIND });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await answer.text()).not.toMatch(/headwater_|token-of/);
    });

    defineCase(target, 'are refused behind a trusted proxy, even if it names this machine as the client', async () => {
      const service = await createSampleService();
      const host = await target.start({ mounts: [{ service: service.service, prefix: '' }], trustsProxy: true });
      onTestFinished(async () => {
        await service.close();
        await host.close();
      });
      for (const headers of PASSED_ON)
        expect((await fetch(host.url + METRICS, { headers })).status, JSON.stringify(headers)).toBe(401);
      expect((await fetch(host.url + METRICS)).status).toBe(200);
    });

    defineCase(target, 'are sent to requests with the token and to superusers, and refused to others', async () => {
      const { token } = harness();
      expect(await statusFor(bearer(EXAMPLE_METRICS_TOKEN))).toBe(200);
      expect(await statusFor({ ...BEHIND, authorization: EXAMPLE_METRICS_TOKEN.slice(1) })).toBe(401);
      expect(await statusFor(bearer(`${EXAMPLE_METRICS_TOKEN}x`))).toBe(401);
      expect(await statusFor(bearer('not.a.token'))).toBe(401);
      expect(await statusFor(bearer(await token('operator')))).toBe(200);
      expect(await statusFor(bearer(await token('owner')))).toBe(403);
      const browser = createScreenBrowser(harness().host.url);
      await signInBrowser(browser, SAMPLE_USERS.operator);
      expect((await browser.open(METRICS, BEHIND)).status).toBe(200);
      const other = createScreenBrowser(harness().host.url);
      await signInBrowser(other, SAMPLE_USERS.owner);
      expect((await other.open(METRICS, BEHIND)).status).toBe(403);
    });

    defineCase(target, 'are absent without the option `metrics`, so that a host can use the address', async () => {
      const service = createHeadwater({ baseUrl: 'http://headwater.example', secret: SAMPLE_SECRET });
      expect(service.service.owns(METRICS)).toBe(false);
      await service.close();
    });
  });
}
