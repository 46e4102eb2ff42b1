import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deadLinks } from './check-links.ts';
import { anchorsOf, replaceLinks, sectionOf, withoutSections } from './markdown.ts';
import { GROUPS } from './pages.ts';
import { referencePages } from './reference.ts';
import { Stage } from './stage.ts';

const ROOT = resolve(import.meta.dirname, '../..');
let folder: string;
const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};
const built = (path: string): string => readFileSync(join(folder, 'out', path), 'utf8');
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-site-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the pages of the site', () => {
  it('are files of the repository, and name only sections that exist', () => {
    for (const { source } of GROUPS.flatMap(({ pages }) => pages)) {
      const [file = '', section] = source.split('#');
      expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
      if (section !== undefined) expect(sectionOf(readFileSync(join(ROOT, file), 'utf8'), section)).toMatch(/^# /);
    }
  });

  it('of the tutorial contain only commands that are also on tested pages', () => {
    const commands = (path: string): readonly string[] =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/```sh\n(.*?)```/gs)].flatMap(([, code = '']) =>
        code.trim().split('\n'),
      );
    const tested = new Set(['README.md', 'docs/clients.md', 'docs/your-own-tehsil.md'].flatMap(commands));
    for (const path of ['docs/first-map.md', 'docs/real-sentinel-2.md'])
      expect([path, commands(path).filter((line) => !tested.has(line))]).toEqual([path, []]);
  });

  it('of the reference contain every operation, and options, variables and commands', () => {
    const texts = new Map(referencePages(ROOT).map(({ path, text }) => [path, text]));
    expect(texts.get('reference/options')).toMatch(/\*\*`baseUrl`\*\*: `string`\n\nPublic address of the service/);
    expect(texts.get('reference/variables')).toMatch(/## EO_STAC_API_URL\n\nDefault: not set\n\n\w/);
    expect(texts.get('reference/commands')).toContain('usage: headwater check-data');
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      paths: Record<string, object>;
    };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as { operationId: string }[]);
    const http = [...texts]
      .filter(([path]) => path.startsWith('http/'))
      .map(([, text]) => text)
      .join('\n');
    expect(operations.filter(({ operationId }) => !http.includes(`{#${operationId}}`))).toEqual([]);
  });
});

describe('a page', () => {
  it('links to pages instead of files, and omits sections that have a separate page', async () => {
    await write({
      'docs/a.md':
        '# A\n\n[b](b.md#two), [code](../src/x.ts), [below](#own), `[no](link.md)`\n\n## Own\n\ntext\n\n## Apart\n\nmore\n',
      'docs/b.md': '# B\n\n[a](a.md#apart) [web](https://example.org)\n\n## Two\n\n[one](a.md)\n',
      'src/x.ts': 'export const x = 1;',
    });
    const stage = new Stage(folder);
    stage.addPages([
      { path: 'guides/a', source: 'docs/a.md' },
      { path: 'guides/apart', source: 'docs/a.md#Apart' },
      { path: 'guides/b', source: 'docs/b.md' },
    ]);
    await stage.write(join(folder, 'out'));
    expect(built('guides/a.md')).toContain(
      '[b](/guides/b#two), [code](/files/src-x-ts), [below](#own), `[no](link.md)`',
    );
    expect(built('guides/a.md')).not.toContain('Apart');
    expect(built('guides/apart.md')).toBe('# Apart\n\nmore\n');
    expect(built('guides/b.md')).toContain('[a](/guides/apart#apart) [web](https://example.org)');
    expect(built('files/src-x-ts.md')).toContain('export const x = 1;');
  });

  it('includes a section whose links are relative to another file', async () => {
    await write({
      'README.md': '# R\n\n## Start\n\n[b](docs/b.md)\n\n## End\n',
      'docs/a.md': "# A\n\n[Start](../README.md#start 'include')\n",
      'docs/b.md': '# B\n',
    });
    const stage = new Stage(folder);
    stage.addPages([{ path: 'tutorial/a', source: 'docs/a.md' }]);
    await stage.write(join(folder, 'out'));
    expect(built('tutorial/a.md')).toBe('# A\n\n\n[b](/files/docs-b)\n\n');
  });

  it('with a link to a file that does not exist is refused', async () => {
    await write({ 'docs/a.md': '# A\n\n[b](b.md)\n' });
    const stage = new Stage(folder);
    stage.addPages([{ path: 'guides/a', source: 'docs/a.md' }]);
    await expect(stage.write(join(folder, 'out'))).rejects.toThrow('docs/a.md (page guides/a): b.md');
  });

  it('with a link to a folder that has nothing to show is refused', async () => {
    await write({ 'docs/a.md': '# A\n\n[b](../b)\n', 'b/c/x.ts': '' });
    const stage = new Stage(folder);
    stage.addPages([{ path: 'guides/a', source: 'docs/a.md' }]);
    await expect(stage.write(join(folder, 'out'))).rejects.toThrow('docs/a.md (page guides/a): ../b has no');
  });
});

describe('the check of links', () => {
  it('finds links without a file and anchors without an element', async () => {
    const links = ['guides/a.html', 'guides/a.html#one', '#here', 'https://example.org/x'];
    const dead = ['guides/b.html', 'guides/a.html#two', '#there'];
    const anchor = (target: string): string =>
      `<a href="${/^(#|https)/.test(target) ? '' : '/docs/guide/'}${target}">x</a>`;
    await write({
      'index.html': `<p id="here"></p>${[...links, ...dead].map(anchor).join('')}<a href="/other/">x</a>`,
      'guides/a.html': '<h2 id="one"></h2><a href="../index.html#here">x</a><a href="/docs/guide/">x</a>',
    });
    expect(deadLinks(folder)).toEqual([
      'index.html: #there has no element #there',
      'index.html: /docs/guide/guides/a.html#two has no element #two',
      'index.html: /docs/guide/guides/b.html does not exist',
      'index.html: /other/ does not exist',
    ]);
  });
});

it('headings have the ids that GitHub gives them, and text in code blocks is not a heading', () => {
  const text = '# One: `two_three`\n\n```sh\n# no heading\n```\n\n## 1. A\n\n## 1. A\n\n## [Link](x.md) (b)\n';
  expect(anchorsOf(text)).toEqual(['one-two_three', '1-a', '1-a-1', 'link-b']);
  expect(withoutSections(text, ['1. A'])).toContain('(b)');
  expect(replaceLinks('```\n[a](b)\n```\n[a](b) [c](http://d)', () => 'e')).toBe(
    '```\n[a](b)\n```\n[a](e) [c](http://d)',
  );
});
