import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MapViewer } from '@headwater/http-service';

/** Path of the script; the extension is `.ts` if this package runs from sources, otherwise `.js`. */
function script(): { readonly path: string; readonly extension: string } {
  const importer: string | undefined = import.meta.url;
  const extension = importer !== undefined && importer.endsWith('.ts') ? '.ts' : '.js';
  const url = importer === undefined ? undefined : new URL(`browser/main${extension}`, importer);
  if (url !== undefined && existsSync(url)) return { path: fileURLToPath(url), extension };
  throw new Error(
    'The script of the map is missing, because a bundler has moved @headwater/map-view. Leave the package out of the ' +
      'bundle, for esbuild with --external:@headwater/map-view',
  );
}

/**
 * The interactive maps of layers and places. Their script is bundled at the first request in a child process, so no
 * build step is needed (decision 203).
 */
export const mapView: MapViewer = {
  async files() {
    const { path: entry, extension } = script();
    const { build, stop } = await import('esbuild');
    try {
      const { outputFiles } = await build({
        entryPoints: [{ in: entry, out: 'map' }],
        bundle: true,
        // A list of conditions replaces esbuild's default `module`, so `module` is repeated.
        conditions: extension === '.ts' ? ['module', '@headwater/source'] : ['module'],
        splitting: true,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        minify: true,
        legalComments: 'none',
        chunkNames: '[name]-[hash]',
        outdir: '/',
        write: false,
        logLevel: 'silent',
      });
      return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
    } finally {
      // Ends the child process of esbuild, which would wait for more work.
      await stop();
    }
  },
};
