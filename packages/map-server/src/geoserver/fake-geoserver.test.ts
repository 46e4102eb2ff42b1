import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeGeoServer } from './fake-geoserver.fixture.ts';

const FILE = new URL('../../../../../shared/data/geoserver/recordings/rest-2.26.2.jsonl', import.meta.url);
const Recording = z.object({
  note: z.string(),
  method: z.string(),
  path: z.string(),
  request: z.object({ contentType: z.string().nullable(), accept: z.string(), body: z.string().nullable() }),
  status: z.number(),
  contentType: z.string().nullable(),
});

/** Files that the recorded requests sent; the recordings name them only. */
const FILES: Readonly<Record<string, string>> = {
  '@r.tif': 'II*',
  '@v.zip': 'PK',
  '@v.gpkg': 'SQLite format 3',
  '@lulc.sld': '<StyledLayerDescriptor/>',
};

describe.skipIf(!existsSync(FILE))('the fake GeoServer, beside recordings of version 2.26.2', () => {
  test('answers every recorded call, in order, with the recorded status and form of list', () => {
    const fake = new FakeGeoServer();
    for (const workspace of ['lulc', 'mws', 'ts']) fake.workspaces.set(workspace, new Map());
    const lines = readFileSync(FILE, 'utf8').trim().split('\n');
    const wrong = lines.flatMap((line) => {
      const { note, method, path, request, status } = Recording.parse(JSON.parse(line));
      // Without credentials: the fake checks them before `rest`. The web address is no REST call.
      if (note === 'unauthenticated' || note === 'ready') return [];
      const body = request.body === null ? '' : (FILES[request.body] ?? request.body);
      const answer = fake.rest({
        method,
        path,
        contentType: request.contentType,
        accept: request.accept,
        body: new TextEncoder().encode(body),
      });
      return answer.status === status ? [] : [`${note}: ${method} ${path}: ${answer.status}, recorded ${status}`];
    });
    expect(wrong).toEqual([]);
    expect(lines.length).toBeGreaterThan(60);
  });
});
