import { type AssetStore, DomainError, SILENT } from '@headwater/core';
import { boxPolygon } from '@headwater/core/geo';
import { createMemoryAssets } from '@headwater/core/memory';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { type BoundaryForms, type BoundaryLayer, createBoundaryForms } from './boundary-forms.ts';
import { createLayerForms } from './layer-forms.ts';
import type { FormSource } from './wfs-form.ts';

const square = (west: number) => boxPolygon([west, 24, west + 1, 25]);
const NAMES = { state: 'A', district: 'B', tehsil: 'C', geometry: null };

async function world(count: number, more: Partial<AssetStore> | 'no files' = {}) {
  let minute = 0;
  const clock = { now: () => new Date(Date.UTC(2026, 0, 1, 0, (minute += 1))) };
  const { places, lookups } = createMemoryStores({ clock });
  const save = async (mws: number): Promise<number> => {
    const units = Array.from({ length: mws }, (_each, at) => ({ uid: `12_${at}`, geometry: square(at / 100) }));
    const villages = units.map(({ geometry }, id) => ({ id, name: `${id}`, geometry }));
    return (await places.saveBundle({ ...NAMES, mws: units, villages })).tehsil.id;
  };
  const tehsilId = await save(count);
  const memory = createMemoryAssets();
  const assets = more === 'no files' ? undefined : { ...memory, ...more };
  const start = () => ({
    forms: createLayerForms({ assets, logger: SILENT }),
    boundaries: createBoundaryForms(lookups),
  });
  const layer = (kind: 'mws' | 'villages') => ({ kind, tehsilId, layerName: `${kind}_b_c`, version: null });
  return { start, layer, save, lookups, keys: () => memory.keys() };
}

async function sourceOf(boundaries: BoundaryForms, layer: BoundaryLayer): Promise<FormSource> {
  const source = await boundaries.sourceOf(layer);
  if (source === undefined) throw new Error(`the layer ${layer.layerName} has no boundaries`);
  return source;
}

const textOf = async (file: { bytes: number; stream(start: number, end: number): ReadableStream<Uint8Array> }) =>
  await new Response(file.stream(0, file.bytes - 1)).text();

it.each(['mws', 'villages'] as const)(
  'the response for %s contains each feature once and in order, for any number of reads',
  async (kind) => {
    for (const count of [1, 199, 200, 201, 500]) {
      const w = await world(count);
      const { forms, boundaries } = w.start();
      const source = await sourceOf(boundaries, w.layer(kind));
      const form: unknown = JSON.parse(await textOf(await forms.file(source, 'identity')));
      const [name, first] = kind === 'mws' ? ['uid', (at: number) => `12_${at}`] : ['vill_ID', (at: number) => at];
      const values = Array.from({ length: count }, (_each, at) => first(at));
      const ordered = kind === 'mws' ? values.toSorted((a, b) => (a < b ? -1 : 1)) : values;
      expect(form).toMatchObject({
        totalFeatures: count,
        features: ordered.map((value, at) => ({ id: `${kind}_b_c.${at + 1}`, properties: { [name]: value } })),
      });
    }
  },
);

it('a tehsil without boundaries has no source', async () => {
  const w = await world(0);
  for (const kind of ['mws', 'villages'] as const)
    expect(await w.start().boundaries.sourceOf(w.layer(kind))).toBeUndefined();
});

/** Number of boundaries whose response is too large for the cache in memory. */
const MANY = 6000;

it.each([3, MANY])(
  'the ETag and the bytes of %i boundaries stay the same after a restart; a new version replaces the cached response',
  async (count) => {
    const w = await world(count);
    const isInFile = count === MANY;
    const first = w.start();
    const old = await sourceOf(first.boundaries, w.layer('mws'));
    const text = await textOf(await first.forms.file(old, 'identity'));
    await first.forms.file(old, 'gzip');
    for (const encoding of ['identity', 'gzip'] as const) expect(await first.forms.cached(old, encoding)).toBeDefined();
    const restarted = w.start();
    const again = await sourceOf(restarted.boundaries, w.layer('mws'));
    expect(again.validators).toEqual(old.validators);
    for (const encoding of ['identity', 'gzip'] as const)
      expect((await restarted.forms.cached(again, encoding)) !== undefined).toBe(isInFile);
    expect(await textOf(await restarted.forms.file(again, 'identity'))).toBe(text);

    await w.save(count - 1);
    const next = await sourceOf(restarted.boundaries, w.layer('mws'));
    expect(next.validators.etag).not.toBe(old.validators.etag);
    await restarted.forms.file(next, 'identity');
    expect(w.keys()).toEqual(isInFile ? [next.key] : []);
    expect(next.validators.modified.getTime()).toBeGreaterThan(old.validators.modified.getTime());
  },
);

it('a large response that another process has stored meanwhile is sent, and is not removed', async () => {
  const w = await world(MANY);
  const [first, second] = [w.start(), w.start()];
  const source = await sourceOf(first.boundaries, w.layer('mws'));
  // The second process looks for the file before the first process has stored it.
  let pieces = 0;
  const late: FormSource = {
    ...source,
    pieces: async function* (length) {
      if ((pieces += 1) === 1) await first.forms.file(source, 'gzip');
      yield* source.pieces(length);
    },
  };
  const text = await textOf(await second.forms.file(late, 'identity'));
  expect(text).toBe(await textOf(await first.forms.file(source, 'identity')));
  expect([pieces, w.keys()]).toEqual([1, [source.key, `${source.key}.gz`]]);
});

it('a small response after a large one is not stored in a file', async () => {
  const w = await world(MANY);
  const { forms, boundaries } = w.start();
  const large = await sourceOf(boundaries, w.layer('mws'));
  await forms.file(large, 'identity');
  await w.save(3);
  const small = await sourceOf(boundaries, w.layer('mws'));
  await forms.file(small, 'identity');
  expect(w.keys()).toEqual([large.key]);
});

it('throws unavailable and caches nothing if boundaries change while they are read', async () => {
  const w = await world(30);
  const { forms, boundaries } = w.start();
  const source = await sourceOf(boundaries, w.layer('mws'));
  await w.save(29);
  await expect(forms.file(source, 'identity')).rejects.toMatchObject({ code: 'unavailable' });
  expect(await forms.cached(source, 'identity')).toBeUndefined();
});

it.each([
  ['no asset store', 'no files' as const],
  [
    'a full disk',
    {
      begin: async () => {
        throw new DomainError('storage_full', 'no space left');
      },
    },
  ],
])('with %s a large response is built for each request, and always has the same ETag', async (_name, more) => {
  const w = await world(MANY, more);
  const { forms, boundaries } = w.start();
  const source = await sourceOf(boundaries, w.layer('villages'));
  const file = await forms.file(source, 'gzip');
  const sent = await new Response(file.stream(0, file.bytes - 1)).arrayBuffer();
  expect([file.encoding, sent.byteLength]).toEqual(['identity', file.bytes]);
  expect((await sourceOf(boundaries, w.layer('villages'))).validators).toEqual(source.validators);
});
