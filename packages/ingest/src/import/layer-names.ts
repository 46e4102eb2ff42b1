import { basename } from 'node:path';
import { workerUrl } from '@headwater/net/files';
import { runInChild } from './child-process/run-in-child.ts';

/**
 * Names of the layers of a GeoPackage, or of the Shapefiles of a zip file, read in a child process; empty for GeoJSON. Throws `validation`
 * for a broken file, and the signal's reason.
 */
export async function layerNames(path: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!path.endsWith('.gpkg') && !path.endsWith('.zip')) return [];
  const worker = workerUrl('./layer-names-worker', import.meta.url);
  return await runInChild<readonly string[]>({ worker, data: path, fileName: basename(path), signal });
}
