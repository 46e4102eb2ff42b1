import { EXAMPLE_RUN } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import { SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, type Harness, useHarness } from './harness.ts';
import { hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import { type SignInFields, signedInBrowser } from './screens.ts';

const [{ name: LULC }] = SAMPLE_PIPELINES;
const pageOf = (id: string): string => `/api/v1/runs/${id}/`;
const formOf = (id: string, action: 'cancel' | 'retry'): string => `/dashboard/runs/${id}/${action}/`;

async function queuedRun({ service }: Harness, last: string, pipeline = 'none_that_runs'): Promise<string> {
  const { runs, users } = service.stores;
  const owner = await users.byUsername(SAMPLE_USERS.owner.username);
  const id = `0190a000-0000-7000-8000-0000000${last}`;
  const params = { tehsilId: 1, startYear: 2021, endYear: 2021, eoAccountId: 1 };
  await runs.enqueue({ id, pipeline, params, fingerprint: id, ownerId: owner?.id ?? 0, queue: 'no worker' });
  return id;
}

/** Test cases of a run's page: log, cancelling and restarting. */
export function runScreenCases(target: HttpTarget): void {
  describe('the page of a run', () => {
    const harness = useHarness(target);
    const signedIn = (user: SignInFields = SAMPLE_USERS.owner): Promise<ScreenBrowser> =>
      signedInBrowser(harness().host.url, user);

    defineCase(target, 'shows the log and the published results, also in Hindi', async () => {
      const own = await signedIn();
      const { body, headers } = await own.open(pageOf(EXAMPLE_RUN));
      expect(body).toMatch(/data-log="200">[^]*<p>\d\d:\d\d:\d\d an example line<\/p>/);
      expect(body).toContain('Published by this run');
      expect(body).not.toMatch(/\/(cancel|retry)\//);
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
      const hindi = await own.open(pageOf(EXAMPLE_RUN), { 'accept-language': 'hi' });
      expect(hindi.body).toContain('इस गणना ने प्रकाशित किया');
      expect(hindi.headers.get('vary')).toContain('Accept-Language');
    });

    defineCase(target, 'shows the last 200 lines of a long log', async () => {
      const id = await queuedRun(harness(), '0a001');
      const { runs } = harness().service.stores;
      for (let line = 1; line <= 250; line += 1)
        await runs.appendEvent(id, { kind: 'log', data: { message: `line ${line} <b>` } });
      const { body } = await (await signedIn()).open(pageOf(id));
      expect(body.match(/<p>\d\d:\d\d:\d\d /g)).toHaveLength(200);
      expect(body).toContain('line 250 &lt;b&gt;');
      expect(body).not.toMatch(/line 50 /);
      await runs.requestCancel(id);
    });

    defineCase(target, 'cancels a waiting run, but only for its owner and superusers', async () => {
      const { runs } = harness().service.stores;
      const [own, other, root] = [
        await signedIn(),
        await signedIn(SAMPLE_USERS.other),
        await signedIn(SAMPLE_USERS.operator),
      ];
      const [first, second] = [await queuedRun(harness(), '0b001'), await queuedRun(harness(), '0b002')];
      const { token = '' } = hiddenFields((await other.open('/dashboard/')).body);
      for (const action of ['cancel', 'retry'] as const)
        expect([action, (await other.post(formOf(first, action), { token })).status]).toEqual([action, 404]);
      expect((await runs.get(first))?.state).toBe('queued');
      const page = await own.open(pageOf(first));
      expect(page.body).toContain('Cancel this run');
      for (const [browser, id] of [
        [own, first],
        [root, second],
      ] as const) {
        const done = await browser.submit(pageOf(id), {}, formOf(id, 'cancel'));
        expect([done.status, done.location]).toEqual([303, pageOf(id)]);
        expect(await runs.get(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      }
      const again = await own.submit('/dashboard/', {}, formOf(first, 'cancel'));
      expect(again.status).toBe(303);
      const unknown = { token: hiddenFields((await own.open('/dashboard/')).body)['token'] ?? '' };
      expect((await own.post(formOf('0190a000-0000-7000-8000-00000000dead', 'cancel'), unknown)).status).toBe(404);
    });

    defineCase(
      target,
      'starts a failed run again as a new run, but only if a request can start its pipeline',
      async () => {
        const { runs } = harness().service.stores;
        const own = await signedIn();
        const id = await queuedRun(harness(), '0c001', LULC);
        await runs.requestCancel(id);
        expect((await own.open(pageOf(id))).body).toContain('Start it again');
        const started = await own.submit(pageOf(id), {}, formOf(id, 'retry'));
        expect(started.status).toBe(303);
        const next = /runs\/([0-9a-f-]{36})\/$/.exec(started.location ?? '')?.[1] ?? '';
        expect(next).not.toBe(id);
        expect(await runs.get(next)).toMatchObject({ pipeline: LULC, params: { startYear: 2021, eoAccountId: 1 } });
        const foreign = await queuedRun(harness(), '0c002');
        await runs.requestCancel(foreign);
        const page = await own.open(pageOf(foreign));
        expect(page.body).not.toContain('Start it again');
        const { token = '' } = hiddenFields((await own.open('/dashboard/')).body);
        expect((await own.post(formOf(foreign, 'retry'), { token })).location).toBe(pageOf(foreign));
      },
    );

    defineCase(target, 'does not start a run again for a user who has lost the permission to compute', async () => {
      const { stores, accounts } = harness().service;
      const user = { username: 'once_allowed', password: 'tall-river-42' };
      const { id: ownerId } = await accounts.createUser(user);
      const id = '0190a000-0000-7000-8000-00000000d001';
      const params = { tehsilId: 1, startYear: 2021, endYear: 2021, eoAccountId: 1 };
      await stores.runs.enqueue({ id, pipeline: LULC, params, fingerprint: id, ownerId, queue: 'no worker' });
      await stores.runs.requestCancel(id);
      await stores.people.change(ownerId, { mayCompute: false });
      const own = await signedIn(user);
      expect((await own.open(pageOf(id))).body).not.toContain('Start it again');
      const refused = await own.submit('/dashboard/', {}, formOf(id, 'retry'));
      expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('can read public data')]);
    });
  });
}
