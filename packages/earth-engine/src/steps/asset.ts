import { isObject } from '@headwater/core/values';
import { placeSlug } from '@headwater/stac';
import { PlatformError } from '../google-api.ts';
import { type Step, unlessMissing } from './step.ts';

/** Property of an asset with the key of its file. */
export const FILE_PROPERTY = 'headwater_file';

/** Returns `projects/{project}/assets/{folder}/{state}/{district}/{block}/{layer}` without forbidden characters. */
export async function assetPathOf({ parts, project, layer }: Step): Promise<string> {
  const [place] = await parts.stores.places.namesOf([layer.tehsilId]);
  const names = place === undefined ? [] : [place.state, place.district, place.tehsil];
  const slugs = [...names.map(placeSlug), layer.layerName].map((name) => name.replace(/[^A-Za-z0-9_-]/g, '_'));
  return ['projects', project, 'assets', parts.settings.folder, ...slugs].join('/');
}

/** Key of the file in an asset; `other` if the asset has no key, undefined if there is no asset. */
export async function assetAt(step: Step, assetPath: string): Promise<string | undefined> {
  const asset = await unlessMissing(
    step.api.request({ host: 'earthEngine', path: `/v1/${assetPath}`, signal: step.signal }),
  );
  if (asset === undefined) return undefined;
  const key = isObject(asset['properties']) ? asset['properties'][FILE_PROPERTY] : undefined;
  return typeof key === 'string' ? key : 'other';
}

/** Creates the missing folders above an asset. */
export async function makeFolders({ api, project, signal }: Step, assetPath: string): Promise<void> {
  const root = `projects/${project}/assets/`;
  const names = assetPath.slice(root.length).split('/').slice(0, -1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const folder = names.slice(0, depth).join('/');
    if ((await unlessMissing(api.request({ host: 'earthEngine', path: `/v1/${root}${folder}`, signal }))) !== undefined)
      continue;
    const path = `/v1/projects/${project}/assets?assetId=${encodeURIComponent(folder)}`;
    try {
      await api.request({ host: 'earthEngine', path, method: 'POST', json: { type: 'FOLDER' }, signal });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== 'exists') throw error;
    }
  }
}

const READERS = { role: 'roles/viewer', members: ['allUsers'] } as const;

/** Makes an asset readable by all users and keeps its other rights. */
export async function publish({ api, signal }: Step, assetPath: string): Promise<void> {
  const path = `/v1/${assetPath}`;
  const common = { host: 'earthEngine', method: 'POST', signal } as const;
  const { bindings, etag } = await api.request({ ...common, path: `${path}:getIamPolicy`, json: {} });
  const known = Array.isArray(bindings) ? bindings.filter(isObject) : [];
  if (
    known.some(({ role, members }) => role === READERS.role && Array.isArray(members) && members.includes('allUsers'))
  )
    return;
  const policy = { bindings: [...known, READERS], ...(typeof etag === 'string' ? { etag } : {}) };
  await api.request({ ...common, path: `${path}:setIamPolicy`, json: { policy } });
}
