import type { Rgba } from '@headwater/core';
import { EXAMPLE_ITEM, EXAMPLE_RUN, type Headwater } from '@headwater/http-service';
import { encodeIndexedPng } from '@headwater/raster';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { realPixels, type RealPixels } from '../fixture/real-pixels.ts';
import { createSampleService, publishAsSample } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { defineCase, type RawAnswer, sendRaw } from './harness.ts';

const RUN = EXAMPLE_RUN.replace(/.$/, '2');
const FILES = `/api/v1/assets/${RUN}/1`;
const ITEMS = '/api/v1/stac/a/b/c/items/';
const CLASSES = [
  { value: 0, title: 'Background', nodata: true },
  { value: 5, title: 'Built-up', color_hint: 'FF0000', percentage: 40 },
  { value: 6, title: 'Trees <b>', color_hint: '38761D', percentage: 60 },
  { value: 7, title: 'Barren', color_hint: 'A9A9A9', percentage: 0 },
];
const COLOURS: readonly Rgba[] = Array.from({ length: 256 }, (_, value) =>
  value === 5 ? [255, 0, 0, 255] : value === 6 ? [56, 118, 29, 200] : [0, 0, 0, 0],
);
const PICTURE = { width: 40, height: 30, pixels: Uint8Array.from({ length: 1200 }, (_, at) => (at % 3 === 0 ? 6 : 5)) };
const WHOLE = encodeIndexedPng({ ...PICTURE, palette: COLOURS });
/** PNG of a red pixel, without palette. */
const TRUE_COLOUR = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const BROWSER = { accept: 'text/html' };

/** Test cases of pictures and pages with only one class. */
export function classPictureCases(target: HttpTarget): void {
  describe('classes of a layer by links', () => {
    let real: RealPixels;
    let headwater: Headwater;
    let host: RunningHost;
    const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> =>
      sendRaw(host.url, path, { method, headers });
    const page = (query: string): Promise<RawAnswer> => ask(`${ITEMS}cover_raster_2021/${query}`, BROWSER);

    beforeAll(async () => {
      real = await realPixels();
      const { assets } = real.compute;
      headwater = await createSampleService({ compute: real.compute });
      await assets.begin(RUN, 1);
      await assets.write(RUN, 1, 'cover.png', WHOLE);
      await assets.write(RUN, 1, 'cut.png', WHOLE.subarray(0, 60));
      await assets.write(RUN, 1, 'photo.png', TRUE_COLOUR);
      const items = [layerOf(2021), layerOf(2022), layerOf(2023, { isPicture: false })];
      await publishAsSample(headwater, { items, layers: [], timings: {} });
      host = await target.start({ mounts: [{ service: headwater.service, prefix: '' }] });
    });
    afterAll(async () => {
      await host.close();
      await headwater.close();
      await real.remove();
    });

    defineCase(
      target,
      'in the picture of a class, all other colours are transparent; the picture has the headers of the file, but its own ETag',
      async () => {
        const [whole, alone] = [await ask(`${FILES}/cover.png`), await ask(`${FILES}/cover.png?class=6`)];
        const palette = COLOURS.map(([r, g, b, alpha], value): Rgba => [r, g, b, value === 6 ? alpha : 0]);
        expect(alone.status).toBe(200);
        expect(Buffer.from(alone.bytes).equals(encodeIndexedPng({ ...PICTURE, palette }))).toBe(true);
        for (const name of [
          'content-type',
          'cache-control',
          'last-modified',
          'content-security-policy',
          'accept-ranges',
        ])
          expect([name, alone.headers[name]]).toEqual([name, whole.headers[name]]);
        expect(alone.headers['etag']).not.toBe(whole.headers['etag']);
        const etag = String(alone.headers['etag']);
        expect((await ask(`${FILES}/cover.png?class=6`, { 'if-none-match': etag })).status).toBe(304);
        expect((await ask(`${FILES}/cover.png?class=5`, { 'if-none-match': etag })).status).toBe(200);
        const head = await ask(`${FILES}/cover.png?class=6`, {}, 'HEAD');
        expect([head.body, head.headers['content-length'], head.headers['etag']]).toEqual([
          '',
          String(alone.bytes.byteLength),
          etag,
        ]);
        const part = await ask(`${FILES}/cover.png?class=6`, { range: 'bytes=1-3' });
        expect([part.status, part.body]).toEqual([206, 'PNG']);
      },
    );

    defineCase(
      target,
      'an invalid class, a class that the picture does not show, and a file that is not a picture of classes are refused',
      async () => {
        for (const [path, reason] of Object.entries({
          'cover.png?class=x': 'Must be an integer from 0 to 255.',
          'cover.png?class=256': 'Must be at most 255.',
          'cover.png?class=-1': 'Must be an integer from 0 to 255.',
          'cover.png?class=7': /does not show class 7/,
          'photo.png?class=5': /not a picture of classes/,
          'cut.png?class=5': /not a picture of classes/,
        })) {
          const answer = await ask(`${FILES}/${path}`);
          expect([path, answer.status]).toEqual([path, 400]);
          expect(JSON.parse(answer.body)).toMatchObject({ class: [expect.stringMatching(reason)] });
        }
      },
    );

    defineCase(
      target,
      'the legend of the page links to the picture of each class that occurs, and back to all classes',
      async () => {
        const { body, status } = await page('?lang=hi');
        expect(status).toBe(200);
        expect(body).toContain('href="?lang=hi&amp;class=5"');
        expect(body).toContain('href="?lang=hi&amp;class=6"');
        expect(body).not.toContain('class=7');
        expect(body).toContain(`src="${FILES}/cover.png"`);
        const one = await page('?class=6');
        expect(one.status).toBe(200);
        expect(one.body).toContain(`src="${FILES}/cover.png?class=6"`);
        expect(one.body).toContain('alt="Map: Cover, only the class Trees &lt;b&gt;"');
        expect(one.body).toMatch(/href="\?class=6"\s+aria-current="true"/);
        expect(one.body.replace(/\s+/g, ' ')).toMatch(/<a href="\?">Show all classes/);
        // Links to other years keep the class.
        expect(one.body).toContain(`href="${ITEMS}cover_raster_2022/?class=6"`);
        expect(one.headers['etag']).not.toBe((await page('')).headers['etag']);
      },
    );

    defineCase(
      target,
      'a page refuses a class that its picture does not have; the JSON document of the layer is the same for each class',
      async () => {
        expect((await page('?class=x')).status).toBe(400);
        const unknown = await page('?class=9');
        expect([unknown.status, unknown.body]).toEqual([400, expect.stringMatching(/no class 9; use one of 5, 6, 7/)]);
        const none = await ask(`${ITEMS}cover_raster_2023/?class=5`, BROWSER);
        expect([none.status, none.body]).toEqual([
          400,
          expect.stringMatching(/no class 5; leave out the parameter class/),
        ]);
        expect((await ask(`${ITEMS}cover_raster_2023/`, BROWSER)).body).not.toContain('?class=');
        const item = `/api/v1/stac/sample_state/sample_district/sample_tehsil/items/${EXAMPLE_ITEM}/`;
        const [whole, same] = [await ask(item), await ask(`${item}?class=5`)];
        expect([same.status, same.body]).toEqual([200, whole.body]);
      },
    );
  });
}

/** Item of a raster of classes. If `isPicture` is false, the preview is not PNG. */
function layerOf(year: number, { isPicture = true } = {}) {
  const id = `cover_raster_${year}`;
  const base = `https://base.headwater.invalid${FILES}`;
  const item = {
    type: 'Feature',
    id,
    bbox: [78.5, 17.4, 78.6, 17.5],
    properties: {
      title: 'Cover',
      start_datetime: `${year}-07-01T00:00:00Z`,
      end_datetime: `${year + 1}-06-30T00:00:00Z`,
    },
    assets: {
      cog: {
        href: `${base}/cover.tif`,
        type: 'image/tiff; application=geotiff',
        roles: ['data'],
        'file:size': 9,
        'classification:classes': CLASSES,
      },
      thumbnail: { href: `${base}/cover.png`, type: isPicture ? 'image/png' : 'image/jpeg', roles: ['thumbnail'] },
    },
    links: [],
  };
  return { id, collectionPath: 'a/b/c', item };
}
