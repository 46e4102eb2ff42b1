import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { BASE } from '../check-links.ts';
import { slugOf } from '../markdown.ts';

/** The list of pages, which `build.ts` writes. */
const sidebar = JSON.parse(readFileSync(join(import.meta.dirname, '../.pages/sidebar.json'), 'utf8'));

/**
 * Returns the HTML of a page for the search index. Guides are indexed whole. Of the generated reference only the
 * headings are indexed, because its texts would be most of the index. Pages of sources and decisions are not indexed.
 */
const searched: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = async (text, env, md) => {
  const { relativePath } = env;
  if (/^(files|decisions)\//.test(relativePath)) return '';
  return md.render(/^(api|http)\//.test(relativePath) ? (text.match(/^#{1,3} .*$/gm) ?? []).join('\n\n') : text, env);
};

export default defineConfig({
  title: 'Headwater',
  description: 'Geospatial computing and public data service',
  base: BASE,
  // Browsers request /favicon.ico if a page names no icon, and the server has no such file. So the page names an empty
  // icon.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.pages/.cache',
  // Links to localhost lead to the reader's own server, which does not run during the build.
  ignoreDeadLinks: 'localhostLinks',
  // Writes the hashes of all pages into one script, instead of a copy into each page.
  metaChunk: true,
  vite: { build: { reportCompressedSize: false, chunkSizeWarningLimit: 4000 } },
  markdown: {
    html: false,
    linkify: false,
    // The same Markdown files are also read on GitHub. Headings get the ids that GitHub gives them, so that links to
    // headings work in both places.
    anchor: { slugify: slugOf },
  },
  themeConfig: {
    sidebar,
    search: { provider: 'local', options: { _render: searched } },
    outline: [2, 3],
    externalLinkIcon: true,
  },
});
