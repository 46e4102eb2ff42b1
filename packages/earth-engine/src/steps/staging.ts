import { PlatformError } from '../google-api.ts';
import { FinalFailure, type Rights, type Step, unlessMissing } from './step.ts';

const objectOf = ({ claimed }: Pick<Rights, 'claimed'>): string => `earth-engine/${claimed.id}.tif`;

const bucketOf = ({ claimed, parts }: Rights): string =>
  /^gs:\/\/([^/]+)\//.exec(claimed.source ?? '')?.[1] ?? parts.settings.bucket;

/** Address of the file in the bucket, `gs://bucket/name`. */
export const sourceOf = (rights: Rights): string => `gs://${bucketOf(rights)}/${objectOf(rights)}`;

/** Puts the file into the bucket, or keeps the file of an earlier request. */
export async function upload(step: Step): Promise<string> {
  const { claimed, parts, api, signal } = step;
  const { bucket } = parts.settings;
  const file = await parts.assets.open(claimed.assetKey);
  if (file === undefined) throw new FinalFailure('The file of the layer is missing; compute the layer again.');
  const query = `uploadType=media&ifGenerationMatch=0&name=${encodeURIComponent(objectOf(step))}`;
  const path = `/upload/storage/v1/b/${encodeURIComponent(bucket)}/o?${query}`;
  try {
    await api.request({ host: 'storage', path, method: 'POST', file: () => file.stream(0, file.bytes - 1), signal });
  } catch (error) {
    // With ifGenerationMatch=0 the bucket replaces no object. If the object exists, it is this file from an earlier
    // request.
    if (!(error instanceof PlatformError) || error.kind !== 'exists') throw error;
  }
  return sourceOf(step);
}

/** Removes the file from the bucket. A missing file is no error. */
export async function removeObject(rights: Rights): Promise<void> {
  const { api, signal } = rights;
  const path = `/storage/v1/b/${encodeURIComponent(bucketOf(rights))}/o/${encodeURIComponent(objectOf(rights))}`;
  await unlessMissing(api.request({ host: 'storage', path, method: 'DELETE', signal }));
}
