import type { Send, StorageRequest, StorageResponse } from '../object-store.ts';

/** An object in a fake bucket. */
export interface FakeObject {
  readonly bytes: Uint8Array;
  /** ETag with quotes. `fakeGcs` computes the generation from it. */
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly modified: Date;
}

/** An unfinished upload: parts by number (S3), or all received bytes as part 0 (Google). */
export interface FakeUpload {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Uint8Array>;
}

/** A bucket in memory. */
export interface FakeBucket {
  readonly name: string;
  readonly objects: Map<string, FakeObject>;
  readonly uploads: Map<string, FakeUpload>;
  /** Number of writes by key. */
  readonly writes: Map<string, number>;
  readonly requests: StorageRequest[];
  /** Location (Google) or region (S3). */
  region: string;
  /** Permissions that are denied. */
  readonly denied: Set<string>;
  /** Total size above which writes are refused, bytes. */
  quota: number;
}

/** Creates an empty bucket. */
export function createFakeBucket(name: string, region = 'us-central1'): FakeBucket {
  const maps = { objects: new Map(), uploads: new Map(), writes: new Map(), requests: [], denied: new Set<string>() };
  return { name, region, quota: Infinity, ...maps };
}

let versions = 0;

/** Stores an object as a finished upload does. */
export function storeObject(
  bucket: FakeBucket,
  key: string,
  { bytes, headers }: Pick<FakeObject, 'bytes' | 'headers'>,
): FakeObject {
  versions += 1;
  const object = { bytes, headers, version: `"${versions.toString(16)}"`, modified: new Date() };
  bucket.objects.set(key, object);
  bucket.writes.set(key, (bucket.writes.get(key) ?? 0) + 1);
  return object;
}

/** True if the bucket has no space for these bytes. */
export function isFull({ objects, quota }: FakeBucket, more: number): boolean {
  let total = more;
  for (const { bytes } of objects.values()) total += bytes.length;
  return total > quota;
}

/** Body and headers of a response. */
export interface FakeAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Creates the response of a fake storage. */
export function answer(status: number, { headers = {}, body = '' }: FakeAnswer = {}): StorageResponse {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const all: Readonly<Record<string, string>> = { 'content-length': String(bytes.length), ...headers };
  return {
    status,
    header: (name) => all[name],
    bytes: async () => bytes,
    async *pieces() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
    discard: () => {},
  };
}

/** Response with the bytes of an object, or a range of them. */
export function bytesAnswer(request: StorageRequest, object: FakeObject, headers: Readonly<Record<string, string>>) {
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers['range'] ?? '') ?? [];
  if (from === undefined || to === undefined) return answer(200, { headers, body: object.bytes });
  if (Number(from) >= object.bytes.length) return answer(416, { headers });
  const body = object.bytes.slice(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + body.length - 1}/${object.bytes.length}`;
  return answer(206, { headers: { ...headers, 'content-range': range }, body });
}

/** Fault of a request: not sent, response lost or cut off, or a response with `status`. */
export type Fault = 'refused' | 'lost' | 'cut' | { readonly status: number; readonly headers?: Record<string, string> };

/** Adds faults to a storage. `fault` is called for each request; undefined means no fault. */
export function withFaults(send: Send, fault: (request: StorageRequest) => Fault | undefined): Send {
  return async (request, signal) => {
    const kind = fault(request);
    if (kind === 'refused') throw new Error('connect ECONNREFUSED');
    if (typeof kind === 'object') return answer(kind.status, { headers: kind.headers ?? {} });
    const response = await send(request, signal);
    if (kind === 'lost') throw new Error('read ECONNRESET');
    return kind === 'cut' ? cutResponse(response) : response;
  };
}

function cutResponse(response: StorageResponse): StorageResponse {
  return {
    ...response,
    bytes: () => Promise.reject(new Error('aborted')),
    async *pieces() {
      for await (const piece of response.pieces()) {
        yield piece.subarray(0, Math.ceil(piece.length / 2));
        throw new Error('aborted');
      }
    },
  };
}
