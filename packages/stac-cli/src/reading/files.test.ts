import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../cli.fixture.ts';
import { parseJson } from './parse-document.ts';

const SECRET = 'secret:x:0:0';
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headwater-files-'));
  await mkdir(join(dir, 'tree', 'below'), { recursive: true });
  await writeFile(join(dir, 'outside.json'), SECRET);
  await writeFile(join(dir, 'tree-beside.json'), SECRET);
  await symlink('../../outside.json', join(dir, 'tree', 'below', 'link.json'));
});
afterEach(async () => rm(dir, { recursive: true }));

const root = (href: string) =>
  writeFile(
    join(dir, 'tree', 'catalog.json'),
    JSON.stringify({ type: 'Catalog', id: 'a', links: [{ rel: 'child', href }] }),
  );
const outside = () => pathToFileURL(join(dir, 'outside.json')).href;

describe('a tree of files', () => {
  it.each(['absolute', '../outside.json', '../tree-beside.json', 'below/link.json'])(
    'names no file outside of its folder, and the linter shows nothing of one: %s',
    async (href) => {
      await root(href === 'absolute' ? outside() : href);
      const { code, out, err } = await call(['lint', join(dir, 'tree', 'catalog.json')]);
      expect(code).toBe(1);
      expect(out).toContain("outside of the root's folder");
      expect(out + err).not.toContain('secret');
    },
  );

  it('names any where the person says so, and what is no JSON is told without its text', async () => {
    await root('../outside.json');
    const { out, err } = await call(['lint', join(dir, 'tree', 'catalog.json'), '--any-file']);
    expect(out).toContain('is no JSON');
    expect(out + err).not.toContain('secret');
  });

  it('leads to files beside and below its root', async () => {
    await root('below/b.json');
    await writeFile(join(dir, 'tree', 'below', 'b.json'), '{"type":"Catalog","id":"b","links":[]}');
    expect((await call(['lint', join(dir, 'tree', 'catalog.json')])).out).not.toContain('tree.target-missing');
  });
});

it.each([SECRET, `{"a": ${SECRET}}`, `["${SECRET}`, `{"a":1}${SECRET}`, `{"${SECRET}"}`, `["a\n${SECRET}"]`])(
  'text that is no JSON is not quoted: %s',
  (text) => {
    const told = (() => {
      try {
        return parseJson(text);
      } catch (error) {
        return String(error);
      }
    })();
    expect(told).toContain('is no JSON');
    expect(told).not.toMatch(/secret|x:0/);
  },
);
