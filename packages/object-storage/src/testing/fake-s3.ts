import { sha256 } from '@headwater/core/values';
import { compositeCrc, crc32c, crcText } from '../crc32c.ts';
import type { Send, StorageRequest, StorageResponse } from '../object-store.ts';
import { answer, bytesAnswer, type FakeBucket, isFull, storeObject } from './fake-bucket.ts';

const failure = (status: number, code: string): StorageResponse =>
  answer(status, { body: `<Error><Code>${code}</Code></Error>` });

/** Fake API of S3: objects, uploads in parts, ranges, conditions, checksums. */
export function fakeS3(bucket: FakeBucket): Send {
  return async (request) => {
    bucket.requests.push(request);
    const url = new URL(request.href);
    const [, name, ...rest] = url.pathname.split('/');
    if (!(request.authorization ?? '').startsWith('AWS4-HMAC-SHA256 ')) return failure(403, 'AccessDenied');
    if (name !== bucket.name) return failure(404, 'NoSuchBucket');
    if (bucket.denied.has(permissionOf(request, rest.length === 0))) return failure(403, 'AccessDenied');
    const body = request.body ?? new Uint8Array(0);
    if (request.headers['x-amz-content-sha256'] !== (await sha256(body)))
      return failure(400, 'XAmzContentSHA256Mismatch');
    const crc = request.headers['x-amz-checksum-crc32c'];
    if (crc !== undefined && crc !== crcText(crc32c(body))) return failure(400, 'BadDigest');
    if (rest.length === 0) return bucketAnswer(bucket, request, url.searchParams);
    return objectAnswer(bucket, request, { key: rest.join('/'), query: url.searchParams, body });
  };
}

function permissionOf({ method }: StorageRequest, isBucket: boolean): string {
  if (isBucket) return method === 'GET' ? 's3:ListBucket' : '';
  return { PUT: 's3:PutObject', POST: 's3:PutObject', DELETE: 's3:DeleteObject' }[method as string] ?? 's3:GetObject';
}

const PAGE = 1000;

function bucketAnswer(bucket: FakeBucket, { method }: StorageRequest, query: URLSearchParams): StorageResponse {
  if (method === 'HEAD') return answer(200, { headers: { 'x-amz-bucket-region': bucket.region } });
  const after = query.get('continuation-token') ?? '';
  const all = [...bucket.objects]
    .filter(([key]) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const page = all.slice(0, PAGE);
  const entries = page.map(([key, { bytes }]) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`);
  const next = all.length > PAGE ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : '';
  return answer(200, { body: `<ListBucketResult>${entries.join('')}${next}</ListBucketResult>` });
}

interface Target {
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
}

function objectAnswer(bucket: FakeBucket, request: StorageRequest, target: Target): StorageResponse {
  const { key, query, body } = target;
  const uploadId = query.get('uploadId');
  if (request.method === 'POST' || uploadId !== null) return partsAnswer(bucket, request, target);
  const object = bucket.objects.get(key);
  if (request.method === 'PUT') {
    if (request.headers['if-none-match'] === '*' && object !== undefined) return failure(412, 'PreconditionFailed');
    if (isFull(bucket, body.length)) return failure(507, 'QuotaExceeded');
    const stored = storeObject(bucket, key, { bytes: body.slice(), headers: kept(request, crcText(crc32c(body))) });
    return answer(200, { headers: { etag: stored.version } });
  }
  if (request.method === 'DELETE') return (bucket.objects.delete(key), answer(204));
  if (object === undefined) return failure(404, 'NoSuchKey');
  if ((request.headers['if-match'] ?? object.version) !== object.version) return failure(412, 'PreconditionFailed');
  const headers = { ...object.headers, etag: object.version, 'last-modified': object.modified.toUTCString() };
  if (request.method === 'HEAD')
    return answer(200, { headers: { ...headers, 'content-length': String(object.bytes.length) } });
  return bytesAnswer(request, object, headers);
}

function kept(request: Pick<StorageRequest, 'headers'>, checksum: string): Record<string, string> {
  const meta = Object.entries(request.headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return { ...Object.fromEntries(meta), 'x-amz-checksum-crc32c': checksum };
}

let uploadIds = 0;

function partsAnswer(bucket: FakeBucket, request: StorageRequest, { key, query, body }: Target): StorageResponse {
  if (query.has('uploads')) {
    uploadIds += 1;
    const id = `upload-${uploadIds}`;
    bucket.uploads.set(id, { key, headers: request.headers, parts: new Map() });
    return answer(200, {
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    });
  }
  const id = query.get('uploadId') ?? '';
  const upload = bucket.uploads.get(id);
  if (upload === undefined || upload.key !== key) return failure(404, 'NoSuchUpload');
  if (request.method === 'DELETE') return (bucket.uploads.delete(id), answer(204));
  if (request.method === 'PUT') {
    if (isFull(bucket, body.length)) return failure(507, 'QuotaExceeded');
    upload.parts.set(Number(query.get('partNumber')), body.slice());
    return answer(200, { headers: { etag: `"part-${crcText(crc32c(body))}"` } });
  }
  if (request.headers['if-none-match'] === '*' && bucket.objects.has(key)) return failure(412, 'PreconditionFailed');
  const listed = [...new TextDecoder().decode(body).matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) =>
    Number(n),
  );
  const parts = listed.map((number) => upload.parts.get(number) ?? new Uint8Array(0));
  const bytes = new Uint8Array(Buffer.concat(parts));
  const checksum = compositeCrc(parts.map((part) => crcText(crc32c(part))));
  storeObject(bucket, key, { bytes, headers: kept(upload, checksum) });
  bucket.uploads.delete(id);
  return answer(200, { body: '<CompleteMultipartUploadResult/>' });
}
