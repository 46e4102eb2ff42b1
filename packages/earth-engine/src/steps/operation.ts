import type { ClaimedExport } from '@headwater/core/ports';
import { isObject } from '@headwater/core/values';
import { PlatformError } from '../google-api.ts';
import { FILE_PROPERTY } from './asset.ts';
import { type Rights, type Step } from './step.ts';

const MOST_REASON = 300;

/**
 * Request id of an import (an export of this service is an import at the platform). The platform accepts each id once,
 * so the id contains the number of the attempt.
 */
const requestIdOf = ({ id, attempts }: ClaimedExport): string => `${id}-${attempts}`;

/** Name of the operation of an earlier request with the same request id; undefined if there is none. */
export async function startedOperation({ claimed, api, project, signal }: Rights): Promise<string | undefined> {
  let page = '';
  do {
    const path = `/v1/projects/${project}/operations?pageSize=100${page}`;
    const { operations, nextPageToken } = await api.request({ host: 'earthEngine', path, signal });
    for (const operation of Array.isArray(operations) ? operations : []) {
      if (!isObject(operation) || typeof operation['name'] !== 'string') continue;
      const metadata = isObject(operation['metadata']) ? operation['metadata'] : {};
      if (metadata['description'] === requestIdOf(claimed)) return operation['name'];
    }
    page =
      typeof nextPageToken === 'string' && nextPageToken !== ''
        ? `&pageToken=${encodeURIComponent(nextPageToken)}`
        : '';
  } while (page !== '');
  return undefined;
}

/** Body of an import. Overviews copy a pixel (`SAMPLE`), because a mean would be wrong for classes. */
function manifestOf(
  { claimed, layer }: Step,
  { assetPath, source }: { readonly assetPath: string; readonly source: string },
): object {
  const layerName = `${claimed.workspace}:${claimed.layerName}`;
  return {
    name: assetPath,
    tilesets: [{ id: '0', sources: [{ uris: [source] }] }],
    pyramidingPolicy: 'SAMPLE',
    ...(layer.start === null ? {} : { startTime: layer.start }),
    ...(layer.end === null ? {} : { endTime: layer.end }),
    properties: { [FILE_PROPERTY]: claimed.assetKey, headwater_layer: layerName },
  };
}

/** Starts the import of the file, or finds the import of an earlier request. Returns the name of the operation. */
export async function startImport(
  step: Step,
  file: { readonly assetPath: string; readonly source: string },
): Promise<string> {
  const { claimed, api, project, signal } = step;
  const requestId = requestIdOf(claimed);
  const json = { imageManifest: manifestOf(step, file), description: requestId, overwrite: true, requestId };
  try {
    const path = `/v1/projects/${project}/image:import`;
    const { name } = await api.request({ host: 'earthEngine', path, method: 'POST', json, signal });
    if (typeof name === 'string') return name;
    throw new PlatformError('transient', 'The response to the import names no operation.');
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'exists') throw error;
    // The platform knows the request id, so an earlier request was accepted.
    const earlier = await startedOperation(step);
    if (earlier === undefined)
      throw new PlatformError('transient', 'Earth Engine does not list the operation of an earlier request yet.');
    return earlier;
  }
}

/** Age of an operation, ms. If the operation states no time, the age of the export. */
export function ageOf(operation: Readonly<Record<string, unknown>>, { claimed, parts }: Rights): number {
  const metadata = isObject(operation['metadata']) ? operation['metadata'] : {};
  return parts.now().getTime() - timeOf(metadata['createTime'], claimed.createdAt);
}

/** Message of an operation's error. */
export function reasonOf({ message }: Readonly<Record<string, unknown>>): string {
  return typeof message === 'string' ? message.slice(0, MOST_REASON) : 'no reason was given';
}

const timeOf = (time: unknown, otherwise: string): number => {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? Date.parse(otherwise) : ms;
};
