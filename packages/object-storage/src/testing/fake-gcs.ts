import { isObject } from '@headwater/core/values';
import { crc32c, crcText } from '../crc32c.ts';
import type { Send, StorageRequest, StorageResponse } from '../object-store.ts';
import { answer, bytesAnswer, type FakeBucket, type FakeObject, isFull, storeObject } from './fake-bucket.ts';

const failure = (code: number, reason: string): StorageResponse =>
  answer(code, { body: JSON.stringify({ error: { code, errors: [{ reason }] } }) });

/** The token that the fake storage accepts. */
export interface FakeTokens {
  valid: string;
}

/** Fake JSON API of Google Cloud Storage: objects, resumable sessions, ranges, generations, permissions. */
export function fakeGcs(bucket: FakeBucket, tokens: FakeTokens): Send {
  return async (request) => {
    bucket.requests.push(request);
    const url = new URL(request.href);
    if (request.authorization !== `Bearer ${tokens.valid}`) return failure(401, 'authError');
    const session = url.searchParams.get('upload_id');
    if (session !== null) return sessionAnswer(bucket, request, session);
    const [, path = ''] = /^(?:\/upload)?\/storage\/v1\/b\/(.*)$/.exec(url.pathname) ?? [];
    const [name, kind, ...rest] = path.split('/');
    if (name !== bucket.name) return failure(404, 'notFound');
    if (url.pathname.startsWith('/upload/')) return beginAnswer(bucket, request, url);
    if (kind === undefined) return answerJson({ location: bucket.region.toUpperCase(), locationType: 'region' });
    if (kind === 'iam') {
      const permissions = url.searchParams.getAll('permissions').filter((each) => !bucket.denied.has(each));
      return answerJson({ permissions });
    }
    if (rest.length === 0) return listAnswer(bucket, url.searchParams);
    return objectAnswer(bucket, request, { key: decodeURIComponent(rest.join('/')), query: url.searchParams });
  };
}

const answerJson = (value: unknown): StorageResponse => answer(200, { body: JSON.stringify(value) });

const generationOf = ({ version }: FakeObject): string => String(Number.parseInt(version.slice(1, -1), 16));

function described(key: string, object: FakeObject): Record<string, string> {
  return {
    name: key,
    size: String(object.bytes.length),
    generation: generationOf(object),
    crc32c: crcText(crc32c(object.bytes)),
    updated: object.modified.toISOString(),
  };
}

const PAGE = 1000;

function listAnswer(bucket: FakeBucket, query: URLSearchParams): StorageResponse {
  const after = query.get('pageToken') ?? '';
  const all = [...bucket.objects]
    .filter(([key]) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const page = all.slice(0, PAGE);
  const next = all.length > PAGE ? { nextPageToken: page.at(-1)?.[0] } : {};
  return answerJson({ items: page.map(([key, object]) => described(key, object)), ...next });
}

function objectAnswer(
  bucket: FakeBucket,
  request: StorageRequest,
  { key, query }: { readonly key: string; readonly query: URLSearchParams },
): StorageResponse {
  if (bucket.denied.has(`storage.objects.${request.method === 'DELETE' ? 'delete' : 'get'}`))
    return failure(403, 'forbidden');
  const object = bucket.objects.get(key);
  if (object === undefined) return failure(404, 'notFound');
  const wanted = query.get('ifGenerationMatch');
  if (wanted !== null && wanted !== generationOf(object)) return failure(412, 'conditionNotMet');
  if (request.method === 'DELETE') return (bucket.objects.delete(key), answer(204));
  return query.get('alt') === 'media' ? bytesAnswer(request, object, {}) : answerJson(described(key, object));
}

let sessions = 0;

function beginAnswer(bucket: FakeBucket, request: StorageRequest, url: URL): StorageResponse {
  if (bucket.denied.has('storage.objects.create')) return failure(403, 'forbidden');
  const metadata: unknown = JSON.parse(new TextDecoder().decode(request.body));
  const key = url.searchParams.get('name') ?? '';
  if (url.searchParams.get('ifGenerationMatch') === '0' && bucket.objects.has(key))
    return failure(412, 'conditionNotMet');
  sessions += 1;
  const crc = isObject(metadata) ? String(metadata['crc32c']) : '';
  bucket.uploads.set(`session-${sessions}`, { key, headers: { crc32c: crc }, parts: new Map() });
  return answer(200, { headers: { location: `${url.origin}${url.pathname}?upload_id=session-${sessions}` } });
}

function sessionAnswer(bucket: FakeBucket, request: StorageRequest, id: string): StorageResponse {
  const upload = bucket.uploads.get(id);
  if (upload === undefined) return failure(410, 'gone');
  if (request.method === 'DELETE') return (bucket.uploads.delete(id), answer(499));
  const done = bucket.objects.get(upload.key);
  if (upload.headers['done'] === 'yes' && done !== undefined) return answerJson(described(upload.key, done));
  const has = upload.parts.get(0) ?? new Uint8Array(0);
  const [, from, , total = ''] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(request.headers['content-range'] ?? '') ?? [];
  const body =
    from === undefined || Number(from) !== has.length ? new Uint8Array(0) : (request.body ?? new Uint8Array(0));
  if (isFull(bucket, has.length + body.length)) return failure(403, 'StorageFull');
  const now = new Uint8Array(has.length + body.length);
  now.set(has);
  now.set(body, has.length);
  upload.parts.set(0, now);
  if (now.length < Number(total))
    return answer(308, { headers: now.length === 0 ? {} : { range: `bytes=0-${now.length - 1}` } });
  if (bucket.objects.has(upload.key)) return failure(412, 'conditionNotMet');
  if (upload.headers['crc32c'] !== crcText(crc32c(now))) return failure(400, 'invalid');
  const object = storeObject(bucket, upload.key, { bytes: now, headers: {} });
  bucket.uploads.set(id, { ...upload, headers: { ...upload.headers, done: 'yes' } });
  return answerJson(described(upload.key, object));
}
