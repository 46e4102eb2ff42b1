import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documents } from '../catalogue.fixture.ts';
import { call, seen, serveDocuments } from '../cli.fixture.ts';
import { run } from '../run.ts';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'headwater-validate-'))));
afterEach(async () => rm(dir, { recursive: true, force: true }));

const items = [...documents().values()].filter(({ type }) => type === 'Feature');
const [item = {}] = items;
const foreign = {
  type: 'Feature',
  stac_version: '1.0.0',
  id: 'S2A_29RKH',
  geometry: { type: 'Point', coordinates: [1, 2] },
  bbox: [1, 2, 1, 2],
  properties: { datetime: '2020-02-19T11:34:25Z' },
  links: [{ rel: 'self', href: './item.json' }],
  assets: { visual: { href: './scene.tif' } },
};
const faulty = { ...item, bbox: [0, 0, 1], collection: 7 };
const put = async (name: string, content: unknown): Promise<string> => {
  const path = join(dir, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(
    path,
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  );
  return path;
};

describe('validate', () => {
  it('ends with exit code 0 and writes one line if all documents conform', async () => {
    const root = documents().get('https://example.org/api/v1/stac/');
    expect(await call(['validate', await put('catalog.json', root)])).toEqual({
      code: 0,
      out: '1 document: 1 conforming; 0 errors, 0 warnings, 0 notes\n',
      err: '',
    });
  });

  it('accepts STAC of any producer by default, and applies stricter rules with --profile headwater', async () => {
    const path = await put('foreign.json', foreign);
    for (const args of [['validate'], ['validate', '--profile', 'stac']]) {
      const { code, out } = await call([...args, path]);
      expect([code, out]).toEqual([0, expect.stringContaining('1 document: 1 conforming; 0 errors')]);
      expect(out).toContain('/stac_version: got "1.0.0"');
    }
    const { code, out } = await call(['validate', '--profile', 'headwater', path]);
    expect([code, out]).toEqual([1, expect.stringContaining('[id.pattern]')]);
    expect(out).toContain('[assets.data-missing]');
  });

  it('lists all errors of each document below the name of this document, and ends with exit code 1', async () => {
    const path = await put('faulty.json', faulty);
    const { code, out } = await call(['validate', path, await put('item.json', item)]);
    expect(code).toBe(1);
    expect(out.split('\n')[0]).toBe(path);
    expect(out).toMatch(/^ {2}error {3}\/bbox: got \[0,0,1\], expected .+ \[bbox\.[a-z-]+\]$/m);
    expect(out).toMatch(/^ {2}error {3}\/collection: got 7, expected/m);
    expect(out).toContain('2 documents: 1 conforming; ');
  });

  it('writes the same report as JSON', async () => {
    const paths = [await put('faulty.json', faulty), await put('item.json', item), await put('no.json', '{')];
    const { code, out } = await call(['validate', '--json', ...paths]);
    const report = JSON.parse(out) as { documents: { document: string; findings: unknown[] }[]; counts: unknown };
    expect(code).toBe(2);
    expect(report.documents.map(({ document }) => document)).toEqual(paths);
    expect(report.documents[0]?.findings).toContainEqual(
      expect.objectContaining({ pointer: '/bbox', severity: 'error' }),
    );
    expect(report.documents[2]).toMatchObject({
      findings: [],
      unreadable: expect.stringContaining('is not valid JSON'),
    });
    expect(report.counts).toMatchObject({ documents: 3, conforming: 1, unreadable: 1 });
  });

  it('counts warnings as errors with --strict', async () => {
    const { title: _, ...untitled } = documents().get('https://example.org/api/v1/stac/') ?? {};
    const bare = await put('untitled.json', untitled);
    const loose = await call(['validate', bare]);
    expect(loose.out).toContain('warning');
    expect([loose.code, (await call(['validate', '--strict', bare])).code]).toEqual([0, 1]);
  });

  it('continues after a hostile line', async () => {
    const hostile = JSON.stringify(item).replace('"properties":{', '"properties":{"constructor:x":1,');
    const bands = `${'[{"bands":'.repeat(40)}0${'}]'.repeat(40)}`;
    const deep = JSON.stringify(item).replace('"properties":{', `"properties":{"bands":${bands},`);
    await put('x.ndjson', `${hostile}\n${deep}\n${JSON.stringify(faulty)}\n`);
    const { code, out } = await call(['validate', dir]);
    expect([code, out.split('[bands.depth]').length]).toEqual([1, 2]);
    expect(out).toContain(`${join(dir, 'x.ndjson')}:3\n  error`);
    expect(out).toContain('3 documents: 1 conforming');
  });

  it('reads every document of a folder, lines of ndjson and the Items of a FeatureCollection', async () => {
    await put('a/item.json', item);
    await put('a/package.json', { name: 'no STAC' });
    await put('.hidden/x.json', faulty);
    await put('node_modules/x.json', faulty);
    await put('b.ndjson', `${JSON.stringify(item)}\r\n\n${JSON.stringify(faulty)}\n{"type":`);
    await put('c.geojson', { type: 'FeatureCollection', features: [item, faulty] });
    await symlink('/', join(dir, 'link'));
    const { code, out } = await call(['validate', dir]);
    expect(code).toBe(2);
    expect(out).toContain(`${join(dir, 'b.ndjson')}:3\n  error`);
    expect(out).toContain(`${join(dir, 'b.ndjson')}:4\n  cannot be read: is not valid JSON`);
    expect(out).toContain(`${join(dir, 'c.geojson')}#/features/1\n  error`);
    expect(out).toContain('6 documents: 3 conforming, 1 unreadable');
  });

  it.each([
    ['none.ndjson', ''],
    ['blank.ndjson', '\n \n'],
    ['none.geojson', { type: 'FeatureCollection', features: [] }],
    ['folder/other.json', { name: 'no STAC' }],
  ])('does not accept %s, which contains no document', async (name, content) => {
    const path = await put(name, content);
    const source = name.startsWith('folder') ? join(dir, 'folder') : path;
    const alone = await call(['validate', source]);
    expect([alone.code, alone.out]).toEqual([
      2,
      expect.stringContaining(`${source}\n  cannot be read: it contains no STAC document`),
    ]);
    const { code, out } = await call(['validate', '--json', await put('item.json', item), source]);
    expect([code, JSON.parse(out)]).toMatchObject([
      2,
      { documents: [{}, { document: source }], counts: { documents: 2, conforming: 1, unreadable: 1 } },
    ]);
  });

  it('reads a document from a server', async () => {
    const server = await serveDocuments(() => ({ item, faulty }));
    try {
      expect((await call(['validate', `${server.base}item`])).code).toBe(0);
      expect((await call(['validate', `${server.base}faulty`])).code).toBe(1);
      const gone = await call(['validate', `${server.base}gone`]);
      expect([gone.code, gone.out]).toEqual([2, expect.stringContaining(`there is no document at ${server.base}gone`)]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['bytes that are not text', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 'is not UTF-8 text'],
    ['too deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'nested more than 200 levels deep'],
    ['a number that JSON does not have', '{"a":NaN}', 'is not valid JSON'],
    ['nothing', '', 'is not valid JSON'],
  ])('refuses %s', async (_, content, expected) => {
    const { code, out } = await call(['validate', await put('x.json', content)]);
    expect([code, out]).toEqual([2, expect.stringContaining(expected)]);
  });

  it('removes control characters of documents from its output', async () => {
    const path = await put('x.json', { ...item, bbox: ['\u001b[2J', '\u009b2J'], '\u009b31m': '\u202e' });
    const { out } = await call(['validate', path]);
    expect(out).toContain('bbox');
    for (const character of ['\u001b', '\u009b', '\u202e']) expect(out).not.toContain(character);
  });

  it('draws a bar if standard error is a terminal, and no bar if it is a file', async () => {
    const path = await put('x.ndjson', `${JSON.stringify(item)}\n`.repeat(20));
    const drawn = await call(['validate', path], { isTTY: true });
    expect(seen(drawn.err)).toContain('validate [##############################] 100 % 20 documents');
    expect((await call(['validate', path])).err).toBe('');
    expect((await call(['validate', '--quiet', path], { isTTY: true })).err).toBe('');
  });
});

it('writes the report on separate lines, not into the line of the bar', async () => {
  let screen = '';
  const output = { isTTY: true, columns: 200, write: (text: string) => (screen += text) };
  const paths = [await put('a.json', faulty), await put('b.json', faulty)];
  await run(['validate', ...paths], { stdout: output, stderr: output });
  expect(screen).toContain('validate [###');
  for (const path of paths) expect(screen).toContain(`\u001B[2K${path}\n`);
});

it('reports a missing source, and validates the other sources', async () => {
  const [here, gone] = [await put('a.json', faulty), join(dir, 'gone.json')];
  const { code, out } = await call(['validate', '--json', gone, here]);
  expect([code, JSON.parse(out)]).toMatchObject([
    2,
    { documents: [{ document: gone, unreadable: expect.stringContaining('there is no file') }, { document: here }] },
  ]);
});

describe('a wrong call', () => {
  it.each([
    [[], 'the command is missing'],
    [['check'], 'check: there is no such command'],
    [['validate'], 'PATH|URL: the input is missing'],
    [['validate', '/no/such/file'], 'there is no file or folder /no/such/file'],
    [['validate', 'ftp://example.org/x'], 'give a path, or an address that begins with http'],
    [['validate', 'file:///etc/passwd'], 'give a path, or an address that begins with http'],
    [['validate', '--frobnicate', 'x'], 'frobnicate'],
    [['validate', tmpdir(), '--format', 'static'], '--format'],
    [['validate', tmpdir(), '--profile', 'mine'], '--profile mine: give one of stac, headwater'],
    [['lint', tmpdir(), '--profile', 'stac'], '--profile: use it with --validate'],
    [['lint', 'a', 'b'], 'give one PATH|URL at a time'],
    [['lint', tmpdir(), '--most-documents', '1e3'], 'give a whole number'],
    [['validate', tmpdir(), '--most-minutes', '0'], '--most-minutes 0: give a whole number'],
    [['export', tmpdir(), '--format', 'zip', '--out', 'x'], '--format zip: give one of static'],
    [['export', tmpdir(), '--format', 'static'], '--out: the folder or file to write is missing'],
  ])('%j ends with exit code 2 and an explanation', async (args, expected) => {
    const { code, out, err } = await call(args);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(expected)]);
  });

  it('prints its help for --help', async () => {
    const { code, out, err } = await call(['--help']);
    expect([code, out, err]).toEqual([0, expect.stringContaining('usage: headwater-stac validate'), '']);
  });
});
