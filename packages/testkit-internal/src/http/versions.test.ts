import { EXAMPLE_ITEM } from '@headwater/http-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishedWorld, type PublishedWorld } from './fixture/published-world.ts';

// Saved links must stay valid, and all ranges of a file must be from one version.

const BLOCK = '/api/v1/stac/sample_state/sample_district/sample_tehsil';
const RASTER = `${BLOCK}/items/${EXAMPLE_ITEM}/`;
const VECTOR = `${BLOCK}/items/sample_state_sample_district_sample_tehsil_sample_vector/`;
const LATEST = `/api/v1/assets/latest/sample_state/sample_district/sample_tehsil/${EXAMPLE_ITEM}`;

let world: PublishedWorld;
beforeEach(async () => {
  world = await publishedWorld();
});
afterEach(() => world.close());

type Assets = Readonly<Record<string, { readonly href: string }>>;

async function hrefOf(item: string, asset: string): Promise<string> {
  const { assets } = (await (await world.get(item)).json()) as { assets: Assets };
  return assets[asset]?.href ?? 'absent';
}

async function bytes(url: string, headers: Record<string, string> = {}): Promise<{ status: number; values: number[] }> {
  const answer = await world.get(url, { headers });
  return { status: answer.status, values: [...new Set(new Uint8Array(await answer.arrayBuffer()))] };
}

function unpinned(href: string): string {
  return href.replace(/&run=[^&]*/, '');
}

describe('a download in ranges that continues while a new version of the layer is published', () => {
  it.each(['data', 'cog'])(
    'with the Item’s %s href gets the bytes of one version, even without If-Range or If-Match',
    async (asset) => {
      await world.publish(1);
      const href = await hrefOf(RASTER, asset);
      expect(await bytes(href, { range: 'bytes=0-2499' })).toEqual({ status: 206, values: [1] });
      await world.publish(2);
      expect(await bytes(href, { range: 'bytes=2500-4999' })).toEqual({ status: 206, values: [1] });
      expect(await bytes(href)).toEqual({ status: 200, values: [1] });
      expect(await bytes(await hrefOf(RASTER, asset))).toEqual({ status: 200, values: [2] });
    },
  );

  it('with the vector’s data href gets the text of one version', async () => {
    await world.publish(1);
    const href = await hrefOf(VECTOR, 'data');
    const first = await world.get(href);
    const text = await first.text();
    await world.publish(2);
    const again = await world.get(href, { headers: { range: 'bytes=0-99' } });
    expect([again.status, again.headers.get('etag')]).toEqual([206, first.headers.get('etag')]);
    expect(await again.text()).toBe(text.slice(0, 100));
    expect(text).toContain('"12_1"');
    const newest = await world.get(unpinned(href), {
      headers: { 'if-range': first.headers.get('etag') ?? '', range: 'bytes=0-9' },
    });
    expect([newest.status, await newest.text()]).toEqual([200, expect.stringContaining('"12_2"')]);
  });

  it('with an address of the newest version gets the whole new file, or 412', async () => {
    await world.publish(1);
    const latest = unpinned(await hrefOf(RASTER, 'data'));
    const first = await world.get(latest, { headers: { range: 'bytes=0-99' } });
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    expect(await bytes(latest, { range: 'bytes=100-', 'if-range': etag })).toEqual({ status: 206, values: [1] });
    expect(await bytes(latest, { range: 'bytes=100-', 'if-match': etag })).toEqual({ status: 206, values: [1] });
    await world.publish(2);
    expect(await bytes(latest, { range: 'bytes=100-', 'if-range': etag })).toEqual({ status: 200, values: [2] });
    // A date must not match, because both versions may have been written in the same second.
    expect(await bytes(latest, { range: 'bytes=100-', 'if-range': modified })).toEqual({ status: 200, values: [2] });
    expect(await bytes(latest, { range: 'bytes=100-', 'if-match': etag })).toEqual({ status: 412, values: [] });
    expect(await bytes(latest, { range: 'bytes=100-', 'if-match': '*' })).toEqual({ status: 206, values: [2] });
    const longAgo = 'Mon, 01 Jan 2001 00:00:00 GMT';
    expect(await bytes(latest, { range: 'bytes=100-', 'if-unmodified-since': longAgo })).toEqual({
      status: 412,
      values: [],
    });
  });
});

describe('an address with the id of a run', () => {
  it('redirects to the newest version after the files of that run were deleted', async () => {
    const first = await world.publish(1);
    const raster = await hrefOf(RASTER, 'data');
    const vector = await hrefOf(VECTOR, 'data');
    await world.publish(2);
    await world.assets.discard(first, 1);
    for (const href of [raster, vector]) {
      const answer = await world.get(href, { headers: { range: 'bytes=0-9' } });
      expect([answer.status, answer.headers.get('location')]).toEqual([307, unpinned(href)]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
    expect(await bytes(unpinned(raster))).toEqual({ status: 200, values: [2] });
  });

  it('is refused if the run is invalid or unknown, or did not publish this layer', async () => {
    const id = await world.publish(1);
    const href = await hrefOf(RASTER, 'data');
    expect((await world.get(href.replace(id, 'x'))).status).toBe(400);
    expect((await world.get(href.replace(id, '0190a000-0000-7000-8000-00000000dead'))).status).toBe(404);
    expect((await world.get(href.replaceAll('sample_rasters', 'other_rasters'))).status).toBe(404);
  });

  it('is not in stored Items, and not in addresses of files outside of the map server', async () => {
    const { catalog } = world.stores;
    await world.publish(1);
    const published = await catalog.item(BLOCK.slice('/api/v1/stac/'.length), EXAMPLE_ITEM);
    expect(await hrefOf(RASTER, 'cog')).not.toContain('run=');
    expect(JSON.stringify(published?.item)).not.toContain('run=');
  });
});

describe('stable addresses of the newest version', () => {
  it('return the current file of an Item, with no-cache', async () => {
    await world.publish(1);
    const one = await world.get(`${LATEST}/cog`, { headers: { range: 'bytes=0-9' } });
    expect([one.status, one.headers.get('cache-control')]).toEqual([206, 'no-cache']);
    expect(one.headers.get('content-type')).toBe('image/tiff; application=geotiff; profile=cloud-optimized');
    await world.publish(2);
    expect(await bytes(`${LATEST}/cog`)).toEqual({ status: 200, values: [2] });
    const head = await world.get(`${LATEST}/cog`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5000']);
    const resumed = { range: 'bytes=10-', 'if-range': one.headers.get('etag') ?? '' };
    expect(await bytes(`${LATEST}/cog`, resumed)).toEqual({ status: 200, values: [2] });
  });

  it('redirect to the map server if the layer is served there', async () => {
    await world.publish(1);
    const answer = await world.get(`${LATEST}/data`);
    expect([answer.status, answer.headers.get('location')]).toEqual([307, unpinned(await hrefOf(RASTER, 'data'))]);
  });

  it('are in the Item as alternate links', async () => {
    await world.publish(1);
    const { assets } = (await (await world.get(RASTER)).json()) as {
      assets: Readonly<Record<string, { readonly alternate?: { readonly latest?: { readonly href: string } } }>>;
    };
    const latest = Object.fromEntries(
      Object.entries(assets).map(([name, { alternate }]) => [name, alternate?.latest?.href]),
    );
    expect(latest).toEqual({
      data: `http://headwater.example${LATEST}/data`,
      cog: `http://headwater.example${LATEST}/cog`,
    });
  });

  it('are 404 for unknown assets', async () => {
    await world.publish(1);
    for (const path of [`${LATEST}/thumbnail`, `${LATEST}x/cog`, `${LATEST}/constructor`, `${LATEST}/__proto__`])
      expect((await world.get(path)).status).toBe(404);
  });
});
