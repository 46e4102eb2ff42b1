import { DomainError, isDomainError } from '@headwater/core/errors';
import { isObject, sha256 } from '@headwater/core/values';
import { type BucketName, shownBucket } from './bucket-name.ts';
import {
  BucketFault,
  type ByteSpan,
  type ObjectInfo,
  type ObjectStore,
  PART_BYTES,
  type StorageRequest,
  type StorageResponse,
  type Upload,
} from './object-store.ts';
import {
  expectStatus,
  type PlainRequest,
  readSpan,
  Refused,
  type RequestOptions,
  Requests,
  textOf,
} from './requests.ts';
import { asSession, readPart } from './upload-parts.ts';

/** Access tokens of a service account or of the machine. */
export interface TokenSource {
  /** Returns a valid bearer token. */
  token(): Promise<string>;
  /** Removes a refused token from the cache. */
  forget(token: string): void;
  /** Signs texts (RSA SHA-256) for signed addresses; absent if the account has no key. */
  readonly signer?: { readonly email: string; sign(text: string): Promise<Uint8Array> } | undefined;
}

/** Settings of a bucket of Google Cloud Storage. */
export interface GcsSettings {
  readonly bucket: BucketName;
  /** Origin of the JSON API. Default: `GOOGLE_STORAGE`. */
  readonly endpoint?: string | undefined;
  /** Required location of the bucket, such as `us-central1`. */
  readonly region: string;
  readonly tokens: TokenSource;
}

/** Origin of Google's API. */
export const GOOGLE_STORAGE = 'https://storage.googleapis.com';

/** Permissions that the store uses, each with the role that grants it. */
const NEEDED: Readonly<Record<string, string>> = {
  'storage.buckets.get': 'Storage Legacy Bucket Reader (roles/storage.legacyBucketReader)',
  'storage.objects.list': 'Storage Legacy Bucket Reader (roles/storage.legacyBucketReader)',
  'storage.objects.get': 'Storage Object Viewer (roles/storage.objectViewer)',
  'storage.objects.create': 'Storage Object Admin (roles/storage.objectAdmin)',
  'storage.objects.delete': 'Storage Object Admin (roles/storage.objectAdmin)',
};

/** Opens a bucket of Google Cloud Storage by its JSON API. */
export function createGcsStore(settings: GcsSettings, options: RequestOptions): ObjectStore {
  const name = shownBucket(settings.bucket);
  const { tokens } = settings;
  let last = '';
  const sign = async (request: PlainRequest): Promise<StorageRequest> => {
    last = await tokens.token();
    return { ...request, authorization: `Bearer ${last}` };
  };
  // After a 401, the refused token is removed, so that a retry uses a new one.
  const renew = (): boolean => (tokens.forget(last), true);
  const once = new Requests(name, { sign, renew }, { ...options, tries: 1 });
  return new GcsStore(name, settings, { requests: new Requests(name, { sign, renew }, options), once });
}

/** An upload fails after this number of consecutive attempts without progress. */
const EMPTY_TRIES = 4;

class GcsStore implements ObjectStore {
  readonly name: string;
  readonly #settings: GcsSettings;
  readonly #requests: Requests;
  /** Sends parts without retries, because a part with a lost response may have been received. */
  readonly #once: Requests;

  constructor(
    name: string,
    settings: GcsSettings,
    { requests, once }: { readonly [key in 'requests' | 'once']: Requests },
  ) {
    this.name = name;
    this.#settings = settings;
    this.#requests = requests;
    this.#once = once;
  }

  async head(key: string, signal?: AbortSignal): Promise<ObjectInfo | undefined> {
    return this.#requests.send(
      { href: this.#object(key), method: 'GET', headers: {} },
      async (response) => {
        if (response.status === 404) return (response.discard(), undefined);
        return infoOf(key, await jsonOf(await expectStatus(response, 200)));
      },
      signal,
    );
  }

  async *read({ key, version }: Pick<ObjectInfo, 'key' | 'version'>, span: ByteSpan, signal?: AbortSignal) {
    const href = this.#object(key, { alt: 'media', ifGenerationMatch: version });
    const request = (range: string): PlainRequest => ({
      href,
      method: 'GET',
      headers: { range, 'accept-encoding': 'identity' },
    });
    const isOther = (response: StorageResponse): boolean =>
      response.status < 300 && (response.header('x-goog-generation') ?? version) !== version;
    yield* readSpan(this.#requests, { request, span, signal, isOther });
  }

  async put(upload: Upload, signal?: AbortSignal): Promise<ObjectInfo> {
    const { key, source, journal } = upload;
    const present = await this.head(key, signal);
    if (present !== undefined) return this.#sameOrConflict(present, upload);
    const known = asSession(await journal.read());
    const session = known?.session ?? (await this.#begin(upload, signal));
    const isOwn =
      session !== undefined && (await this.#fill(upload, session, { isKnown: known !== undefined, signal }));
    const info = await this.head(key, signal);
    await journal.write(undefined);
    if (info === undefined)
      throw new DomainError(
        'unavailable',
        `${this.name}: ${key} is missing after its upload; the upload is retried later.`,
      );
    // The object of another process must stay: it may record that another installation owns the bucket.
    if (!isOwn) return this.#sameOrConflict(info, upload);
    if (info.bytes === source.bytes && info.crc32c === source.crc32c) return info;
    await this.#remove(key, { ifGenerationMatch: info.version }, signal);
    throw new DomainError(
      'unavailable',
      `${this.name}: ${key} was stored with another checksum; the upload is retried later.`,
    );
  }

  async abandon(_key: string, state: unknown, signal?: AbortSignal): Promise<void> {
    const known = asSession(state);
    if (known === undefined) return;
    // 499 is the regular response to a cancellation
    // (https://cloud.google.com/storage/docs/performing-resumable-uploads#cancel-upload).
    await this.#requests.send(
      { href: known.session, method: 'DELETE', headers: { 'content-length': '0' } },
      async (response) => (await expectStatus(response, 200, 204, 404, 410, 499)).discard(),
      signal,
    );
  }

  async remove(key: string, signal?: AbortSignal): Promise<void> {
    await this.#remove(key, {}, signal);
  }

  /** With `ifGenerationMatch`, removes the object only if it was not replaced in the meantime. */
  async #remove(key: string, condition: { readonly ifGenerationMatch?: string }, signal: AbortSignal | undefined) {
    await this.#requests.send(
      { href: this.#object(key, condition), method: 'DELETE', headers: {} },
      async (response) => (await expectStatus(response, 200, 204, 404, 412)).discard(),
      signal,
    );
  }

  async *list(prefix: string, signal?: AbortSignal) {
    const own = this.#settings.bucket.prefix;
    for (let next: string | undefined = ''; next !== undefined;) {
      const query = { prefix: own + prefix, ...(next === '' ? {} : { pageToken: next }) };
      const page: Readonly<Record<string, unknown>> = await this.#requests.send(
        { href: this.#bucket('/o', query), method: 'GET', headers: {} },
        async (response) => jsonOf(await expectStatus(response, 200)),
        signal,
      );
      const items: readonly unknown[] = Array.isArray(page['items']) ? page['items'] : [];
      for (const item of items.filter(isObject))
        yield { key: String(item['name']).slice(own.length), bytes: Number(item['size']) };
      next = typeof page['nextPageToken'] === 'string' ? page['nextPageToken'] : undefined;
    }
  }

  async signedUrl(key: string, seconds: number): Promise<string | undefined> {
    const { tokens, bucket, endpoint = GOOGLE_STORAGE } = this.#settings;
    if (tokens.signer === undefined) return undefined;
    const { email, sign } = tokens.signer;
    // Signature V4 with GOOG4-RSA-SHA256 (https://cloud.google.com/storage/docs/authentication/signatures).
    const time = this.#requests
      .now()
      .toISOString()
      .replaceAll(/[-:]|\.\d+/g, '');
    const scope = `${time.slice(0, 8)}/auto/storage/goog4_request`;
    const url = new URL(`${endpoint}/${bucket.bucket}/${bucket.prefix}${key}`);
    const query = new URLSearchParams({
      'X-Goog-Algorithm': 'GOOG4-RSA-SHA256',
      'X-Goog-Credential': `${email}/${scope}`,
      'X-Goog-Date': time,
      'X-Goog-Expires': String(seconds),
      'X-Goog-SignedHeaders': 'host',
    }).toString();
    const canonical = ['GET', url.pathname, query, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
    const digest = await sha256(canonical);
    const signature = await sign(['GOOG4-RSA-SHA256', time, scope, digest].join('\n'));
    return `${url.href}?${query}&X-Goog-Signature=${hex(signature)}`;
  }

  async check(signal?: AbortSignal): Promise<string> {
    const { region } = this.#settings;
    const facts = await this.#requests.send(
      { href: this.#bucket('', { fields: 'location,locationType' }), method: 'GET', headers: {} },
      async (response) => {
        if (response.status === 404) return (response.discard(), undefined);
        return response.status === 403 ? (response.discard(), {}) : jsonOf(await expectStatus(response, 200));
      },
      signal,
    );
    if (facts === undefined)
      throw new BucketFault('bucket', `${this.name} does not exist. Create it in ${region}, or correct the name.`);
    const location = typeof facts['location'] === 'string' ? facts['location'].toLowerCase() : undefined;
    // If the account may not read the location, the location is not compared. `#checkRoles` reports missing
    // permissions.
    if (location !== undefined && location !== region.toLowerCase()) throw this.#wrongRegion(location);
    await this.#checkRoles(signal);
    return `${this.name} is in ${location ?? region}, with the three roles`;
  }

  #wrongRegion(location: string): BucketFault {
    const { region } = this.#settings;
    return new BucketFault(
      'region',
      `${this.name} is in ${location}, but must be in ${region}, because Earth Engine fails to load rasters from other regions. ` +
        `Create a bucket in ${region}, or set the region ${location} if no raster goes to Earth Engine.`,
    );
  }

  async #checkRoles(signal: AbortSignal | undefined): Promise<void> {
    const names = Object.keys(NEEDED);
    const href = `${this.#bucket('/iam/testPermissions', {})}?${names.map((name) => `permissions=${name}`).join('&')}`;
    const answer = await this.#requests.send(
      { href, method: 'GET', headers: {} },
      async (response) => jsonOf(await expectStatus(response, 200)),
      signal,
    );
    const held: readonly unknown[] = Array.isArray(answer['permissions']) ? answer['permissions'] : [];
    const missing = names.filter((name) => !held.includes(name));
    if (missing.length === 0) return;
    const roles = [...new Set(missing.map((name) => NEEDED[name]))].join(', ');
    throw new BucketFault(
      'credentials',
      `the account lacks ${missing.join(', ')} on ${this.name}. Grant these roles on the bucket: ${roles}.`,
    );
  }

  /** Address of a new session; undefined if the object was created in the meantime. */
  async #begin({ key, source, mediaType, journal }: Upload, signal: AbortSignal | undefined) {
    const name = this.#settings.bucket.prefix + key;
    // The storage compares the checksum at the end, and does not replace an existing object (`ifGenerationMatch=0`).
    const body = JSON.stringify({ name, contentType: mediaType, crc32c: source.crc32c });
    const session = await this.#requests.send(
      {
        href: this.#bucket('/o', { uploadType: 'resumable', name, ifGenerationMatch: '0' }, '/upload'),
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-upload-content-type': mediaType,
          'x-upload-content-length': String(source.bytes),
        },
        body: new TextEncoder().encode(body),
      },
      async (response) => {
        if (response.status === 412) return (response.discard(), undefined);
        await textOf(await expectStatus(response, 200, 201));
        return response.header('location');
      },
      signal,
    );
    if (session !== undefined) await journal.write({ session });
    return session;
  }

  /** Sends the missing bytes. Returns false if another process created the object in the meantime. */
  async #fill(
    { key, source, journal }: Upload,
    session: string,
    { isKnown, signal }: { readonly isKnown: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<boolean> {
    let at: UploadState = isKnown ? await this.#progress(session, source.bytes, signal) : 0;
    for (let failures = 0; at !== 'done' && at !== 'taken';) {
      if (at === 'gone') {
        await journal.write(undefined);
        throw new DomainError(
          'unavailable',
          `${this.name}: the upload of ${key} has expired; the upload is started again later.`,
        );
      }
      const { body } = await readPart(source, at, PART_BYTES);
      const range = body.byteLength === 0 ? '*' : `${at}-${at + body.byteLength - 1}`;
      const headers = { 'content-range': `bytes ${range}/${source.bytes}` };
      const before: number = at;
      let reason: unknown;
      at = await this.#once
        .send({ href: session, method: 'PUT', headers, body }, stateOf, signal)
        .catch(async (error: unknown) => {
          // A session that refuses bytes at the position that it reported is unusable, so it counts as expired.
          if (isRefused(error)) return 'gone';
          if (!isDomainError(error) || error.code !== 'unavailable') throw error;
          reason = error;
          return this.#progress(session, source.bytes, signal);
        });
      failures = at === before ? failures + 1 : 0;
      if (failures === EMPTY_TRIES)
        throw (
          reason ??
          new DomainError(
            'unavailable',
            `${this.name}: the upload of ${key} makes no progress; it is tried again later. Check the network of this machine.`,
          )
        );
      if (failures > 0) await this.#requests.pause(failures, signal);
    }
    return at === 'done';
  }

  /** State of a session; 'gone' also for a session that the storage refuses. */
  async #progress(session: string, total: number, signal: AbortSignal | undefined) {
    const headers = { 'content-range': `bytes */${total}` };
    const request: PlainRequest = { href: session, method: 'PUT', headers, body: new Uint8Array(0) };
    return this.#requests.send(request, stateOf, signal).catch((error: unknown) => {
      if (isRefused(error)) return 'gone' as const;
      throw error;
    });
  }

  #sameOrConflict(info: ObjectInfo, { source, key }: Upload): ObjectInfo {
    if (info.bytes === source.bytes && info.crc32c === source.crc32c) return info;
    throw new DomainError(
      'conflict',
      `${this.name}: ${key} exists with other bytes. Remove it, or use another folder.`,
    );
  }

  #object(key: string, query: Record<string, string> = {}): string {
    return this.#bucket(`/o/${encodeURIComponent(this.#settings.bucket.prefix + key)}`, query);
  }

  #bucket(path: string, query: Record<string, string>, before = ''): string {
    const { endpoint = GOOGLE_STORAGE, bucket } = this.#settings;
    const url = new URL(`${endpoint.replace(/\/+$/, '')}${before}/storage/v1/b/${bucket.bucket}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof DomainError && error.cause instanceof Refused && error.cause.status === 400;

/**
 * Number of received bytes, 'done', 'taken' (another process created the object in the meantime), or 'gone' (expired).
 */
type UploadState = number | 'done' | 'taken' | 'gone';

async function stateOf(response: StorageResponse): Promise<UploadState> {
  if (response.status === 308) {
    response.discard();
    const last = /bytes=0-(\d+)/.exec(response.header('range') ?? '')?.[1];
    return last === undefined ? 0 : Number(last) + 1;
  }
  if ([404, 410].includes(response.status)) return (response.discard(), 'gone');
  // 412: `ifGenerationMatch=0` failed, so the upload has ended; the caller compares the object with the file.
  if (response.status === 412) return (response.discard(), 'taken');
  await textOf(await expectStatus(response, 200, 201));
  return 'done';
}

async function jsonOf(response: StorageResponse): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = JSON.parse(await textOf(response));
  return isObject(value) ? value : {};
}

function infoOf(key: string, { size, generation, crc32c, updated }: Readonly<Record<string, unknown>>): ObjectInfo {
  return {
    key,
    bytes: Number(size),
    version: String(generation),
    crc32c: typeof crc32c === 'string' ? crc32c : undefined,
    modified: new Date(String(updated)),
  };
}

function hex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
