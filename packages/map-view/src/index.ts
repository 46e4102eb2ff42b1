import { basename, join } from 'node:path';
import type { MapViewer } from '@headwater/http-service';

/** Extension of the files of this package: `.ts` if it runs from sources, otherwise `.js`. */
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const BROWSER = join(import.meta.dirname, 'browser');

/**
 * The interactive map of layer pages. The first request for its script bundles the script in memory, in a separate process, in about half a
 * second. So no build step and no cache on the disk are needed, no bundle can be older than its sources, and a start does not wait for the
 * bundle.
 */
export const mapView: MapViewer = {
  async files() {
    const { build, stop } = await import('esbuild');
    try {
      const { outputFiles } = await build({
        entryPoints: [{ in: join(BROWSER, `main${EXTENSION}`), out: 'map' }],
        bundle: true,
        // `module` is the default condition of esbuild. A list of conditions replaces the default, so the list repeats it.
        conditions: EXTENSION === '.ts' ? ['module', '@headwater/source'] : ['module'],
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
      // Ends esbuild's process, which otherwise waits for more work.
      await stop();
    }
  },
};
