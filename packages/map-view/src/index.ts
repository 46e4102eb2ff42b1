import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MapViewer } from '@headwater/http-service';

/** Path of the script, and its extension: `.ts` if this package runs from sources, otherwise `.js`. */
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
 * The interactive map of layer pages. The first request for its script bundles the script in memory, in a separate process, in about half a
 * second. So no build step and no cache on the disk are needed, a bundle is never older than its sources, and the start of the server does
 * not wait for the bundle.
 */
export const mapView: MapViewer = {
  async files() {
    const { path: entry, extension } = script();
    const { build, stop } = await import('esbuild');
    try {
      const { outputFiles } = await build({
        entryPoints: [{ in: entry, out: 'map' }],
        bundle: true,
        // `module` is the default condition of esbuild. A list of conditions replaces this default, so the list contains `module` again.
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
      // Ends the process of esbuild, which would otherwise wait for more work.
      await stop();
    }
  },
};
