import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHeadwater, type Headwater, toFetchHandler } from '@headwater/http-service';
import { createPostgresStores } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf, publishData, table, bundle } from '@headwater/testkit/stores';
import { SAMPLE_SECRET } from './fixture/sample-service.ts';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

// Two services on one database behave like two processes. After a publication, neither may send old cached responses.

let dataDir: string;
let embedded: Awaited<ReturnType<typeof openEmbedded>>;
let one: Headwater;
let other: Headwater;
let key: string;
let tehsilId: number;

async function serve(): Promise<Headwater> {
  const stores = await createPostgresStores({ connection: embedded.connection });
  return createHeadwater({ baseUrl: 'http://headwater.example', secret: SAMPLE_SECRET, stores });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-tables-'));
  await copyDatabase(dataDir);
  embedded = await openEmbedded({ dataDir });
  [one, other] = [await serve(), await serve()];
  const user = await one.accounts.createUser({ username: 'asha', password: 'tall-river-42' });
  key = (await one.apiKeys.generate({ kind: 'user', user })).text;
  tehsilId = (await one.stores.places.saveBundle(bundle())).tehsil.id;
}, 120_000);
afterAll(async () => {
  await one.close();
  await other.close();
  await embedded.close();
  await rm(dataDir, { recursive: true, force: true });
});

const ROUTES = ['get_tehsil_data', 'download_kyl_data', 'generate_stats_excel_file'];

async function answers({ service }: Headwater): Promise<{ readonly tags: readonly unknown[]; readonly text: string }> {
  const place = new URLSearchParams({ state: 'Jharkhand', district: 'West Singhbhum', block: 'Chaibasa' }).toString();
  const handle = toFetchHandler(service);
  const tags: unknown[] = [];
  let text = '';
  for (const route of ROUTES) {
    const headers = { 'x-api-key': key, 'accept-encoding': 'identity' };
    const answer = await handle(new Request(`http://headwater.example/api/v1/${route}/?${place}`, { headers }));
    tags.push(`${answer.status} ${answer.headers.get('etag')}`);
    const body = await answer.text();
    if (route === 'get_tehsil_data') text = body;
  }
  return { tags, text };
}

const crops = (average: number): Promise<void> =>
  publishData(
    one.stores.runs,
    `run-${average}`,
    dataOf({
      tables: [
        table({
          tehsilId,
          name: 'kyl_cropping_intensity',
          columns: [
            { name: 'uid', type: 'text', description: 'Micro-watershed' },
            { name: 'cropping_intensity_avg', type: 'number', description: 'Average' },
          ],
          rows: [{ uid: '12_9', cropping_intensity_avg: average }],
        }),
      ],
    }),
  );

it('after a publication at one service, the next response of the other service changes; without a publication it does not change', async () => {
  await crops(1.25);
  const before = await answers(other);
  expect(before.tags).toEqual(ROUTES.map(() => expect.stringMatching(/^200 (?:W\/)?".+"$/)));
  expect(await answers(other)).toEqual(before);
  expect((await answers(one)).tags).toEqual(before.tags);
  await crops(2.5);
  const after = await answers(other);
  expect(JSON.parse(after.text)).toEqual({ kyl_cropping_intensity: [{ uid: '12_9', cropping_intensity_avg: 2.5 }] });
  for (const [index, tag] of after.tags.entries()) expect(tag).not.toBe(before.tags[index]);
}, 120_000);
