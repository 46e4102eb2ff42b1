import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { BASE } from '../check-links.ts';
import { slugOf } from '../markdown.ts';

/** The list of pages, which `build.ts` writes. */
const sidebar = JSON.parse(readFileSync(join(import.meta.dirname, '../.pages/sidebar.json'), 'utf8'));

/**
 * HTML of a page for the search: whole guides, and the headings of the generated reference, whose texts would be most
 * of the index. Pages of sources and decisions are not searched.
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
  // Browsers request /favicon.ico of a page without an icon.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.pages/.cache',
  // Links to localhost lead to the reader's own server, which does not run during the build.
  ignoreDeadLinks: 'localhostLinks',
  // One script with the hashes of all pages, not a copy in each page.
  metaChunk: true,
  vite: { build: { reportCompressedSize: false, chunkSizeWarningLimit: 4000 } },
  markdown: {
    html: false,
    linkify: false,
    // The sources are also read on GitHub, so headings get the ids that GitHub gives them.
    anchor: { slugify: slugOf },
  },
  themeConfig: {
    sidebar,
    search: { provider: 'local', options: { _render: searched } },
    outline: [2, 3],
    externalLinkIcon: true,
  },
});
