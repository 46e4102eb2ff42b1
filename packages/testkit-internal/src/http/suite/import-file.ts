import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Importer, ImportRequest, ImportReport } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';

const PATH = '/api/v1/import/places/';
const MAX_BYTES = 200_000;

const REPORT: ImportReport = {
  kind: 'places',
  fileName: 'in.geojson',
  stored: 2,
  unchanged: 1,
  refusedCount: 1,
  refused: [{ source: 'in.geojson', row: 3, field: 'tehsil', problem: 'is missing; name it' }],
  repaired: [{ source: 'in.geojson', row: 1, repair: 'was open and is closed' }],
};

/** Test cases of file uploads for import. */
export function importFileCases(target: HttpTarget): void {
  describe('uploads for import', () => {
    let [folder, host]: [string, RunningHost | undefined] = ['', undefined];
    let close = async (): Promise<void> => {};
    const holder = holdUntilReleased();
    const requests: (Omit<ImportRequest, 'signal' | 'progress'> & { readonly text: string })[] = [];
    const importers = (_stores: Stores): readonly Importer[] => [
      {
        kind: 'places',
        endings: ['.geojson'],
        run: async ({ signal: _signal, progress: _progress, ...request }) => {
          requests.push({ ...request, text: await readFile(request.path, 'utf8') });
          if (request.fileName === 'held.geojson') await holder.wait();
          if (request.fileName === 'failing.geojson') throw new Error('this importer fails');
          if (request.fileName === 'refused.geojson') return { ...REPORT, stored: 0, unchanged: 0 };
          return REPORT;
        },
      },
    ];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'uploads-'));
      const service = await createSampleService({
        imports: { importers, scratchDir: join(folder, 'scratch'), maxBytes: MAX_BYTES },
      });
      host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
      close = async () => {
        await service.close();
        await host?.close();
        await rm(folder, { recursive: true, force: true });
      };
    });
    afterAll(() => close());

    const post = async (body: FormData, { path = PATH, who = 'operator' }: Sent = {}): Promise<Answer> => {
      const login = await fetch(`${host?.url}/api/v1/auth/login/`, jsonInit(SAMPLE_USERS[who]));
      const { access } = (await login.json()) as { readonly access: string };
      const headers = { authorization: `Bearer ${access}` };
      const answer = await fetch(`${host?.url}${path}`, { method: 'POST', headers, body });
      const retryAfter = answer.headers.get('retry-after');
      const left = await readdir(join(folder, 'scratch')).catch(() => []);
      return { status: answer.status, body: await answer.json(), left, ...(retryAfter !== null && { retryAfter }) };
    };

    defineCase(
      target,
      'returns the report to a superuser; the file is stored under a generated name while it is read',
      async () => {
        requests.length = 0;
        const sent = form({ state: 'A', district: 'B', block: 'C', options: '{"name": "drainage"}', dry_run: 'true' });
        expect(await post(sent)).toEqual({
          status: 200,
          left: [],
          body: {
            kind: 'places',
            file_name: 'in.geojson',
            dry_run: true,
            stored: 2,
            unchanged: 1,
            removed: 0,
            refused_count: 1,
            refused: REPORT.refused,
            repaired_count: 1,
            repaired: REPORT.repaired,
          },
        });
        expect(requests).toEqual([
          {
            path: expect.stringMatching(/scratch[\\/]upload-[^\\/]+[\\/]file$/),
            fileName: 'in.geojson',
            isTrial: true,
            place: { state: 'A', district: 'B', tehsil: 'C' },
            options: { name: 'drainage' },
            ownerId: expect.any(Number),
            text: 'content',
          },
        ]);
      },
    );

    defineCase(
      target,
      'if every feature of a file is refused, the response is 400 with the report, also with dry_run',
      async () => {
        for (const dry of ['false', 'true']) {
          expect(await post(form({ dry_run: dry }, 'refused.geojson'))).toMatchObject({
            status: 400,
            left: [],
            body: {
              code: 'validation',
              detail: expect.stringMatching(
                /so nothing is stored; the list named refused has the reasons\. Row 3 of in\.geojson: tehsil is missing; name it/,
              ),
              file: [expect.any(String)],
              dry_run: dry === 'true',
              stored: 0,
              refused_count: 1,
              refused: REPORT.refused,
            },
          });
        }
      },
    );

    defineCase(
      target,
      'dry_run may also be in the query; an import is a dry run if body or query has true',
      async () => {
        requests.length = 0;
        for (const [query, field, isTrial] of [
          ['?dry_run=true', undefined, true],
          ['?dry_run=true', 'false', true],
          ['?dry_run=false', 'true', true],
          ['?dry_run=0', undefined, false],
        ] as const) {
          const sent = form(field === undefined ? {} : { dry_run: field });
          expect(await post(sent, { path: `${PATH}${query}` })).toMatchObject({
            status: 200,
            body: { dry_run: isTrial },
          });
          expect(requests.pop()?.isTrial).toBe(isTrial);
        }
        const path = `${PATH}?dry_run=maybe`;
        expect(await post(form(), { path })).toMatchObject({
          status: 400,
          body: { dry_run: ['Must be true or false.'] },
        });
        expect(requests).toEqual([]);
      },
    );

    defineCase(
      target,
      'before the file is read, refuses users who are not superusers, unknown kinds and file name extensions, and kinds without importer',
      async () => {
        requests.length = 0;
        expect(await post(form(), { who: 'owner' })).toMatchObject({ status: 403, left: [] });
        expect(await post(form(), { path: '/api/v1/import/everything/' })).toMatchObject({
          status: 400,
          body: { kind: [expect.stringContaining('is not one of places, mws')] },
        });
        expect(await post(form(), { path: '/api/v1/import/series/' })).toMatchObject({
          status: 503,
          body: { detail: expect.stringContaining('cannot be imported in this version; it imports places') },
        });
        expect(await post(form({}, 'in.exe'))).toMatchObject({
          status: 400,
          body: { file: [expect.stringContaining('.geojson')] },
          left: [],
        });
        expect(requests).toEqual([]);
      },
    );

    defineCase(target, 'an invalid body is refused with the name of the invalid part, and leaves no file', async () => {
      requests.length = 0;
      const twice = form();
      twice.append('file', new Blob(['more']), 'in.geojson');
      const other = form();
      other.append('shape', new Blob(['more']), 'in.geojson');
      const without = new FormData();
      without.append('state', 'A');
      for (const [sent, body] of [
        [twice, { file: [expect.stringContaining('more than once')] }],
        [other, { shape: [expect.stringContaining('send the file in the part "file"')] }],
        [without, { file: ['This field is required.'] }],
        [form({ state: 'A' }), { district: ['This field is required.'], tehsil: ['This field is required.'] }],
        [form({ options: '[1]' }), { options: ['A JSON object is required.'] }],
        [form({ options: '{"styles": {}}' }), { options: [expect.stringContaining('accepts no style files')] }],
        [form({ dry_run: 'maybe' }), { dry_run: ['Must be true or false.'] }],
        [form({ colour: 'red' }), { code: 'validation' }],
      ] as const)
        expect(await post(sent)).toMatchObject({ status: 400, body, left: [] });
      expect(requests).toEqual([]);
      expect(await post(form({}, 'in.geojson', 'x'.repeat(MAX_BYTES + 1)))).toMatchObject({ status: 413, left: [] });
      expect(await post(form({}, 'failing.geojson'))).toMatchObject({ status: 500, left: [] });
    });

    defineCase(
      target,
      'two files are imported at a time and two more wait; a further file gets 503 with Retry-After',
      async () => {
        const send = (): Promise<Answer> => post(form({}, 'held.geojson'));
        const sent = [send(), send(), send(), send(), send()];
        const refused = await Promise.race(sent);
        expect(refused).toMatchObject({
          status: 503,
          retryAfter: '30',
          body: { detail: expect.stringContaining('4 files are being sent, checked or imported') },
        });
        await holder.begun(2);
        holder.release();
        const answers = await Promise.all(sent);
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 503]);
        expect(holder.most).toBe(2);
        expect(await post(form())).toMatchObject({ status: 200, left: [] });
      },
    );

    defineCase(target, 'a file name that contains a path is cut to its last segment', async () => {
      requests.length = 0;
      expect(await post(form({}, '../../../etc/in.geojson'))).toMatchObject({ status: 200, left: [] });
      expect(requests[0]?.path.startsWith(join(folder, 'scratch'))).toBe(true);
    });
  });
}

/** Work that waits until its release. `most` is the greatest number of concurrent calls. */
function holdUntilReleased() {
  const released = Promise.withResolvers<void>();
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let [now, begun] = [0, 0];
  const counts = { most: 0 };
  return {
    get most() {
      return counts.most;
    },
    release: () => released.resolve(),
    /** Resolves when `count` calls have begun. */
    begun: async (count: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (begun >= count) return;
      waiting.push({ count, resolve });
      await promise;
    },
    wait: async (): Promise<void> => {
      [now, begun] = [now + 1, begun + 1];
      counts.most = Math.max(counts.most, now);
      for (const { count, resolve } of waiting) if (begun >= count) resolve();
      await released.promise;
      now -= 1;
    },
  };
}

interface Sent {
  readonly path?: string;
  readonly who?: keyof typeof SAMPLE_USERS;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter?: string;
  /** Files in the scratch folder after the response. */
  readonly left: readonly string[];
}

function form(fields: Readonly<Record<string, string>> = {}, fileName = 'in.geojson', content = 'content'): FormData {
  const body = new FormData();
  // The file is the first part, so that the service must also read later fields.
  body.append('file', new Blob([content]), fileName);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
}
