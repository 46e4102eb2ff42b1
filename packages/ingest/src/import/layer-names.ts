import { basename } from 'node:path';
import { workerUrl } from '@headwater/net/files';
import { runApart } from './apart/run-apart.ts';

/**
 * Names of the layers of a GeoPackage and of the Shapefiles of a zip file, read in a process of its own; none for GeoJSON. Throws
 * `validation` for a broken file, and the signal's reason.
 */
export async function layerNames(path: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!path.endsWith('.gpkg') && !path.endsWith('.zip')) return [];
  const worker = workerUrl('./layer-names-worker', import.meta.url);
  return await runApart<readonly string[]>({ worker, data: path, fileName: basename(path), signal });
}
