import { describe, expect, it } from 'vitest';
import { createEarthObservation } from './earth-observation.ts';
import { QUERY, catalog, item, library } from './searches.fixture.ts';

describe('static catalogues', () => {
  const search = (documents: Readonly<Record<string, unknown>>, reads?: string[], roots = ['/eo/catalog.json']) =>
    createEarthObservation({ roots, readJson: library(documents, reads) }).search(QUERY);

  it('are walked over child and item links, with scenes sorted by time', async () => {
    const found = await search({
      '/eo/catalog.json': catalog(['child', './s2/collection.json'], ['item', './late.json']),
      '/eo/s2/collection.json': { ...catalog(['item', './a/a.json']), type: 'Collection' },
      '/eo/s2/a/a.json': item('a'),
      '/eo/late.json': item('late', {}, { datetime: '2023-07-01T05:30:00Z' }),
    });
    expect(found.scenes.map((s) => [s.id, s.itemHref, s.bands['red']?.href])).toEqual([
      ['a', '/eo/s2/a/a.json', '/eo/s2/a/B04.tif'],
      ['late', '/eo/late.json', '/eo/B04.tif'],
    ]);
    expect(found.rejected).toEqual([]);
  });

  it('are found by a root path relative to the working directory, and by a file: URL', async () => {
    const documents = (folder: string) => ({
      [`${folder}/catalog.json`]: catalog(['item', './a.json']),
      [`${folder}/a.json`]: item('a'),
    });
    const here = await search(documents(`${process.cwd()}/eo`), [], ['eo/catalog.json']);
    expect(here.rejected).toEqual([]);
    expect(here.scenes.map(({ bands }) => bands['red']?.href)).toEqual([`${process.cwd()}/eo/B04.tif`]);
    const byUrl = await search(documents('/my eo'), [], ['file:///my%20eo/catalog.json']);
    expect(byUrl.rejected).toEqual([]);
    expect(byUrl.scenes.map(({ bands }) => bands['red']?.href)).toEqual(['/my eo/B04.tif']);
  });

  it('are filtered by box and by a period that excludes its end', async () => {
    const when = (datetime: string) => ({ datetime });
    const found = await search({
      '/eo/catalog.json': catalog(
        ...['far', 'early', 'end', 'start', 'touch'].map((n) => ['item', `./${n}.json`] as const),
      ),
      '/eo/far.json': item('far', { bbox: [80, 23, 81, 24] }),
      '/eo/early.json': item('early', {}, when('2022-12-31T23:59:59Z')),
      '/eo/end.json': item('end', {}, when('2024-01-01T00:00:00Z')),
      '/eo/start.json': item('start', {}, when('2023-01-01T00:00:00Z')),
      '/eo/touch.json': item('touch', { bbox: [76, 22, 77, 23] }),
    });
    expect(found.scenes.map((s) => s.id)).toEqual(['start', 'touch']);
  });

  it('are read to the end; documents that are broken, missing or of another kind are rejected with reasons', async () => {
    const found = await search({
      '/eo/catalog.json': catalog(
        ['item', './gone.json'],
        ['item', './odd.json'],
        ['child', './list.json'],
        ['item', './ok.json'],
      ),
      '/eo/odd.json': { ...item('odd'), assets: {} },
      '/eo/list.json': [1, 2],
      '/eo/ok.json': item('ok'),
    });
    expect(found.scenes.map((s) => s.id)).toEqual(['ok']);
    expect(found.rejected.map((r) => r.itemHref).toSorted()).toEqual([
      '/eo/gone.json',
      '/eo/list.json',
      '/eo/odd.json',
    ]);
    expect(found.rejected.find((r) => r.itemHref === '/eo/gone.json')?.reason).toContain('no such file');
  });

  it('are read to the end even if they have cycles; each document is read once', async () => {
    const reads: string[] = [];
    const found = await search(
      {
        '/eo/catalog.json': catalog(['child', './b.json'], ['child', './catalog.json']),
        '/eo/b.json': catalog(['child', './catalog.json'], ['item', './a.json']),
        '/eo/a.json': item('a'),
      },
      reads,
    );
    expect(found.scenes).toHaveLength(1);
    expect(reads.toSorted()).toEqual(['/eo/a.json', '/eo/b.json', '/eo/catalog.json']);
  });

  it('return a scene only once, from the first catalogue, even if a catalogue that is added later has it too', async () => {
    const documents = {
      '/one/catalog.json': catalog(['item', './a.json']),
      '/one/a.json': item('a'),
      '/two/catalog.json': catalog(['item', './a.json']),
      '/two/a.json': item('a'),
    };
    const later: string[] = [];
    const eo = createEarthObservation({
      roots: ['/one/catalog.json'],
      listRoots: () => Promise.resolve(later),
      readJson: library(documents),
    });
    later.push('/two/catalog.json', '/one/catalog.json');
    expect((await eo.search(QUERY)).scenes.map((s) => s.itemHref)).toEqual(['/one/a.json']);
  });

  it('are read without documents that are too deep', async () => {
    const documents = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`/eo/${i}.json`, catalog(['child', `./${i + 1}.json`])]),
    );
    const found = await search(documents, [], ['/eo/0.json']);
    expect(found.rejected[0]?.reason).toContain('levels deep');
  });

  it('are left out if they have too many links', async () => {
    const links = Array.from({ length: 100_001 }, () => ['item', './a.json'] as const);
    const found = await search({ '/eo/catalog.json': catalog(...links), '/eo/a.json': item('a') });
    expect(found.scenes).toEqual([]);
    expect(found.rejected[0]?.reason).toContain('has more than 100000 links');
  });

  it('are no longer read when the search is aborted', async () => {
    const eo = createEarthObservation({
      roots: ['/eo/catalog.json'],
      readJson: library({ '/eo/catalog.json': catalog() }),
    });
    await expect(eo.search({ ...QUERY, signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });
});
