import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { BASE } from '../check-links.ts';
import { slugOf } from '../markdown.ts';

const sidebar = JSON.parse(readFileSync(join(import.meta.dirname, '../.pages/sidebar.json'), 'utf8'));

/**
 * Text of a page in the search index. Only the headings of the generated reference are indexed, because its texts
 * would be most of the index.
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
  // Without an icon, browsers request /favicon.ico, which the server does not have.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.pages/.cache',
  // Links to localhost are not checked, because the server does not run during the build.
  ignoreDeadLinks: 'localhostLinks',
  // Writes the hashes of all pages into one script, instead of a copy into each page.
  metaChunk: true,
  vite: { build: { reportCompressedSize: false, chunkSizeWarningLimit: 4000 } },
  markdown: {
    html: false,
    linkify: false,
    // Headings get the ids of GitHub, because the same files are also read on GitHub.
    anchor: { slugify: slugOf },
  },
  themeConfig: {
    sidebar,
    search: { provider: 'local', options: { _render: searched } },
    outline: [2, 3],
    externalLinkIcon: true,
  },
});
