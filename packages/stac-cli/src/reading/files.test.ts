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
  await writeFile(join(dir, 'tree-other.json'), SECRET);
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
  it.each(['absolute', '../outside.json', '../tree-other.json', 'below/link.json'])(
    'may not link to a file outside of its folder, and the linter does not show its content: %s',
    async (href) => {
      await root(href === 'absolute' ? outside() : href);
      const { code, out, err } = await call(['lint', join(dir, 'tree', 'catalog.json')]);
      expect(code).toBe(1);
      expect(out).toContain("outside of the root's folder");
      expect(out + err).not.toContain('secret');
    },
  );

  it('may link to any file with --any-file; the report about a file that is not JSON does not quote the file', async () => {
    await root('../outside.json');
    const { out, err } = await call(['lint', join(dir, 'tree', 'catalog.json'), '--any-file']);
    expect(out).toContain('is not valid JSON');
    expect(out + err).not.toContain('secret');
  });

  it('may link to files next to its root and below', async () => {
    await root('below/b.json');
    await writeFile(join(dir, 'tree', 'below', 'b.json'), '{"type":"Catalog","id":"b","links":[]}');
    expect((await call(['lint', join(dir, 'tree', 'catalog.json')])).out).not.toContain('tree.target-missing');
  });
});

it.each([SECRET, `{"a": ${SECRET}}`, `["${SECRET}`, `{"a":1}${SECRET}`, `{"${SECRET}"}`, `["a\n${SECRET}"]`])(
  'text that is not JSON is not quoted: %s',
  (text) => {
    const message = (() => {
      try {
        return parseJson(text);
      } catch (error) {
        return String(error);
      }
    })();
    expect(message).toContain('is not valid JSON');
    expect(message).not.toMatch(/secret|x:0/);
  },
);
