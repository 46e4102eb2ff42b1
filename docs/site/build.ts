// npm run docs: builds docs/site/dist, which the server serves at /docs/guide/. Fails if a link or an anchor is dead.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vitepress';
import { deadLinks } from './check-links.ts';
import { packagePages } from './packages.ts';
import { GROUPS } from './pages.ts';
import { referencePages } from './reference.ts';
import { Stage, type Text } from './stage.ts';

const SITE = import.meta.dirname;
const ROOT = resolve(SITE, '../..');
const PAGES = join(SITE, '.pages');

async function stage(): Promise<void> {
  const site = new Stage(ROOT);
  const reference = [...referencePages(ROOT), ...(await packagePages(ROOT))];
  for (const page of reference) site.add(page);
  site.addPages([{ path: 'index', source: 'docs/site/index.md' }, ...GROUPS.flatMap(({ pages }) => pages)]);
  await rm(PAGES, { recursive: true, force: true });
  await mkdir(PAGES, { recursive: true });
  await writeFile(join(PAGES, 'sidebar.json'), JSON.stringify(sidebar(reference)));
  await site.write(PAGES);
}

function sidebar(reference: readonly Text[]): readonly object[] {
  const link = (text: string, path: string): object => ({ text, link: `/${path}` });
  const groups = GROUPS.map(({ title, pages }) => ({
    text: title,
    collapsed: title === 'Packages',
    items: pages.map(({ path, source, title: shown }) => link(shown ?? source.split('#')[1] ?? path, path)),
  }));
  const first = reference.filter(({ path }) => path.startsWith('reference/'));
  const items = first.map(({ path, text }) => link(/^# (.*)$/m.exec(text)?.[1] ?? path, path));
  return [...groups.slice(0, 2), { text: 'Reference', items }, ...groups.slice(2)];
}

const start = performance.now();
await stage();
console.log(`docs: pages are made, ${Math.round((performance.now() - start) / 1000)} s`);
await build(SITE);
const dead = deadLinks(join(SITE, 'dist'));
for (const line of dead) console.error(`dead link: ${line}`);
console.log(
  `docs: ${dead.length} dead links, ${Math.round((performance.now() - start) / 1000)} s, in ${join(SITE, 'dist')}`,
);
process.exit(dead.length === 0 ? 0 : 1);
