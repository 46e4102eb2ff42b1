import { DomainError } from '@headwater/core/errors';
import { sha256 } from '@headwater/core/values';
import { AwsV4Signer } from 'aws4fetch';
import { type BucketName, shownBucket } from './bucket-name.ts';
import { compositeCrc, crcOfPieces } from './crc32c.ts';
import {
  BucketFault,
  type ByteSpan,
  type ObjectInfo,
  type ObjectStore,
  PART_BYTES,
  partBytes,
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
import { asPartedUpload, type PartedUpload, readPart } from './upload-parts.ts';

/** Settings of a bucket with the API of S3. */
export interface S3Settings {
  readonly bucket: BucketName;
  /** Origin of the API; the bucket is the first segment of the path. */
  readonly endpoint: string;
  /** Region for signatures. */
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** Header with the CRC of the whole object, because S3 reports only a checksum of checksums for uploads in parts. */
const CRC_HEADER = 'x-amz-meta-crc32c';

/** Opens a bucket with the API of S3: AWS, MinIO, Ceph, Cloudflare R2 and others. */
export function createS3Store(settings: S3Settings, options: RequestOptions): ObjectStore {
  const name = shownBucket(settings.bucket);
  // Keys do not expire, so a 401 is final.
  const requests = new Requests(name, { sign: (request) => signed(settings, request), renew: () => false }, options);
  return new S3Store(name, settings, requests);
}

async function signed(settings: S3Settings, request: PlainRequest): Promise<StorageRequest> {
  const { href, method, headers, body } = request;
  const hash = body === undefined || body.byteLength === 0 ? EMPTY_SHA256 : await sha256(body);
  // The storage refuses a body that does not match this hash.
  const signer = signerOf(settings, { url: href, method, headers: { ...headers, 'x-amz-content-sha256': hash } });
  const { headers: all } = await signer.sign();
  const { authorization, host: _host, ...rest } = Object.fromEntries(all.entries());
  return { href, method, headers: rest, authorization, body };
}

function signerOf(
  { region, accessKeyId, secretAccessKey }: S3Settings,
  request: Pick<ConstructorParameters<typeof AwsV4Signer>[0], 'url' | 'method' | 'headers' | 'signQuery'>,
): AwsV4Signer {
  return new AwsV4Signer({ ...request, service: 's3', region, accessKeyId, secretAccessKey });
}

class S3Store implements ObjectStore {
  readonly name: string;
  readonly #settings: S3Settings;
  readonly #requests: Requests;
  /** False after a 501: the service does not support conditions and checksums. */
  #hasExtras = true;
  /** False after a 501: the service does not support the condition that a joined object must be new. */
  #canJoinIfNew = true;

  constructor(name: string, settings: S3Settings, requests: Requests) {
    this.name = name;
    this.#settings = settings;
    this.#requests = requests;
  }

  async head(key: string, signal?: AbortSignal): Promise<ObjectInfo | undefined> {
    return (await this.#head(key, signal))?.info;
  }

  async *read({ key, version }: Pick<ObjectInfo, 'key' | 'version'>, span: ByteSpan, signal?: AbortSignal) {
    const request = (range: string): PlainRequest => ({
      href: this.#href(key),
      method: 'GET',
      headers: { range, 'if-match': version },
    });
    const isOther = (response: StorageResponse): boolean =>
      response.status < 300 && (response.header('etag') ?? version) !== version;
    yield* readSpan(this.#requests, { request, span, signal, isOther });
  }

  async put(upload: Upload, signal?: AbortSignal): Promise<ObjectInfo> {
    const { key, source, journal } = upload;
    const present = await this.head(key, signal);
    if (present !== undefined) return this.#sameOrConflict(await this.#withChecksum(present, signal), upload);
    if (source.bytes <= PART_BYTES) {
      const { body, crc32c } = await readPart(source, 0, PART_BYTES);
      await this.#write({ href: this.#href(key), body, headers: this.#newObject(upload, crc32c) }, signal);
      return this.#verified(upload, [crc32c], signal);
    }
    const parts = await this.#putParts(upload, signal).catch(async (error: unknown) => {
      // The storage refused the upload, so the next attempt begins a new one. Parts are removed, because they are
      // billed.
      if (isLost(error)) await this.#giveUp(upload, signal);
      throw error;
    });
    const info = await this.#verified(upload, parts, signal);
    await journal.write(undefined);
    return info;
  }

  async abandon(key: string, state: unknown, signal?: AbortSignal): Promise<void> {
    const upload = asPartedUpload(state);
    if (upload === undefined) return;
    const href = this.#href(key, { uploadId: upload.uploadId });
    await this.#requests.send(
      { href, method: 'DELETE', headers: {} },
      async (response) => (await expectStatus(response, 200, 204, 404)).discard(),
      signal,
    );
  }

  async remove(key: string, signal?: AbortSignal): Promise<void> {
    await this.#requests.send(
      { href: this.#href(key), method: 'DELETE', headers: {} },
      async (response) => (await expectStatus(response, 200, 204, 404)).discard(),
      signal,
    );
  }

  async *list(prefix: string, signal?: AbortSignal) {
    const own = this.#settings.bucket.prefix;
    for (let next: string | undefined = ''; next !== undefined;) {
      const query = { 'list-type': '2', prefix: own + prefix, ...(next === '' ? {} : { 'continuation-token': next }) };
      const page: string = await this.#requests.send(
        { href: this.#bucketHref(query), method: 'GET', headers: {} },
        async (response) => textOf(await expectStatus(response, 200)),
        signal,
      );
      for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        yield { key: tagOf(entry, 'Key').slice(own.length), bytes: Number(tagOf(entry, 'Size')) };
      const token: string = tagOf(page, 'NextContinuationToken');
      next = token === '' ? undefined : token;
    }
  }

  async signedUrl(key: string, seconds: number): Promise<string> {
    const url = new URL(this.#href(key));
    url.searchParams.set('X-Amz-Expires', String(seconds));
    const signer = signerOf(this.#settings, { url: url.href, method: 'GET', headers: {}, signQuery: true });
    return (await signer.sign()).url.href;
  }

  async check(signal?: AbortSignal): Promise<string> {
    const { region } = this.#settings;
    const found = await this.#requests.send(
      { href: this.#bucketHref({}), method: 'HEAD', headers: {} },
      (response) => ({ status: response.status, region: response.header('x-amz-bucket-region') }),
      signal,
    );
    if (found.region !== undefined && found.region !== region)
      throw new BucketFault(
        'region',
        `${this.name} is in ${found.region}, not in ${region}. Set the region ${found.region}.`,
      );
    if (found.status === 404)
      throw new BucketFault('bucket', `${this.name} does not exist. Create it, or correct the name.`);
    await this.#probe(signal);
    return `${this.name} is in ${found.region ?? region}; objects can be written, read, listed and removed`;
  }

  /** Tries each needed operation. Throws `BucketFault` with the missing permissions. */
  async #probe(signal: AbortSignal | undefined): Promise<void> {
    // One key for all checks, so that only one object remains if removing is not permitted.
    const key = '.headwater-probe';
    const body = new TextEncoder().encode('headwater');
    const steps: readonly (readonly [string, PlainRequest])[] = [
      ['s3:PutObject', { href: this.#href(key), method: 'PUT', headers: {}, body }],
      ['s3:GetObject', { href: this.#href(key), method: 'GET', headers: {} }],
      ['s3:ListBucket', { href: this.#bucketHref({ 'list-type': '2', 'max-keys': '1' }), method: 'GET', headers: {} }],
      ['s3:DeleteObject', { href: this.#href(key), method: 'DELETE', headers: {} }],
    ];
    const missing: string[] = [];
    for (const [permission, request] of steps) {
      const isAllowed = await this.#requests.send(
        request,
        async (response) => {
          if (response.status === 403) return false;
          // 404: the access is permitted, but the object is missing. (S3 sends 403 for a missing object if the account
          // may not list objects.)
          await textOf(await expectStatus(response, 200, 204, 404));
          return true;
        },
        signal,
      );
      if (!isAllowed) missing.push(permission);
    }
    if (missing.length > 0)
      throw new BucketFault(
        'credentials',
        `the key may not use ${this.name}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} denied. Grant this access to the owner of the key.`,
      );
  }

  async #head(key: string, signal: AbortSignal | undefined) {
    const headers: Record<string, string> = this.#hasExtras ? { 'x-amz-checksum-mode': 'ENABLED' } : {};
    return this.#requests.send(
      { href: this.#href(key), method: 'HEAD', headers },
      async (response) => {
        if (response.status === 404) return undefined;
        return this.#described(key, await expectStatus(response, 200));
      },
      signal,
    );
  }

  #described(key: string, response: StorageResponse) {
    const info: ObjectInfo = {
      key,
      bytes: Number(response.header('content-length')),
      version: response.header('etag') ?? '',
      crc32c: response.header(CRC_HEADER),
      modified: new Date(response.header('last-modified') ?? this.#requests.now()),
    };
    response.discard();
    return { info, checksum: response.header('x-amz-checksum-crc32c') };
  }

  #newObject({ source, mediaType }: Upload, crc?: string): Record<string, string> {
    return {
      'content-type': mediaType,
      [CRC_HEADER]: source.crc32c,
      ...(crc === undefined || !this.#hasExtras ? {} : { 'x-amz-checksum-crc32c': crc }),
      ...(this.#hasExtras ? { 'if-none-match': '*' } : {}),
    };
  }

  /**
   * Writes an object or a part, and returns its ETag. 409 and 412 mean that the object was created in the meantime;
   * `#verified` compares it.
   */
  async #write(
    {
      href,
      body,
      headers,
    }: { readonly href: string; readonly body: Uint8Array; readonly headers: Record<string, string> },
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const answer = await this.#requests.send(
      { href, method: 'PUT', headers, body },
      async (response) => {
        if (response.status === 501 && this.#hasExtras) return undefined;
        await textOf(await expectStatus(response, 200, 409, 412));
        return response.header('etag') ?? '';
      },
      signal,
    );
    if (answer !== undefined) return answer;
    this.#hasExtras = false;
    const { 'if-none-match': _condition, 'x-amz-checksum-crc32c': _checksum, ...plain } = headers;
    return this.#write({ href, body, headers: plain }, signal);
  }

  /** Uploads missing parts and joins all. Returns the checksums of the parts. */
  async #putParts(upload: Upload, signal: AbortSignal | undefined): Promise<readonly string[]> {
    const { key, source, journal } = upload;
    let state = asPartedUpload(await journal.read()) ?? (await this.#begin(upload, signal));
    const count = Math.ceil(source.bytes / state.partBytes);
    for (let number = state.parts.length + 1; number <= count; number += 1) {
      const part = await readPart(source, (number - 1) * state.partBytes, state.partBytes);
      const href = this.#href(key, { partNumber: String(number), uploadId: state.uploadId });
      const checksum = this.#hasExtras ? { 'x-amz-checksum-crc32c': part.crc32c } : {};
      const etag = await this.#write({ href, body: part.body, headers: checksum }, signal);
      state = { ...state, parts: [...state.parts, { etag, crc32c: part.crc32c }] };
      await journal.write(state);
    }
    await this.#join(upload, state, signal);
    return state.parts.map(({ crc32c }) => crc32c);
  }

  async #giveUp({ key, journal }: Upload, signal: AbortSignal | undefined): Promise<void> {
    const state = await journal.read();
    await journal.write(undefined);
    await this.abandon(key, state, signal).catch(() => signal?.throwIfAborted());
  }

  async #begin(upload: Upload, signal: AbortSignal | undefined): Promise<PartedUpload> {
    const { 'if-none-match': _condition, ...headers } = this.#newObject(upload);
    const request = (hasExtras: boolean): PlainRequest => ({
      href: this.#href(upload.key, { uploads: '' }),
      method: 'POST',
      headers: { ...headers, ...(hasExtras ? { 'x-amz-checksum-algorithm': 'CRC32C' } : {}) },
    });
    const read = async (response: StorageResponse): Promise<string> => {
      if (response.status === 501 && this.#hasExtras) return '';
      return tagOf(await textOf(await expectStatus(response, 200)), 'UploadId');
    };
    let uploadId = await this.#requests.send(request(this.#hasExtras), read, signal);
    if (uploadId === '') {
      this.#hasExtras = false;
      uploadId = await this.#requests.send(request(false), read, signal);
    }
    const state = { uploadId, partBytes: partBytes(upload.source.bytes), parts: [] };
    await upload.journal.write(state);
    return state;
  }

  async #join(upload: Upload, { uploadId, parts }: PartedUpload, signal: AbortSignal | undefined) {
    const { key } = upload;
    const entries = parts.map(({ etag, crc32c }, index) => {
      const checksum = this.#hasExtras ? `<ChecksumCRC32C>${crc32c}</ChecksumCRC32C>` : '';
      return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag>${checksum}</Part>`;
    });
    const body = new TextEncoder().encode(`<CompleteMultipartUpload>${entries.join('')}</CompleteMultipartUpload>`);
    const join = (condition: Readonly<Record<string, string>>): Promise<JoinOutcome> =>
      this.#requests.send(
        {
          href: this.#href(key, { uploadId }),
          method: 'POST',
          headers: { 'content-type': 'application/xml', ...condition },
          body,
        },
        async (response) => {
          // After a lost response the parts may be joined already. So 404 is a success, and `#verified` checks the
          // object.
          if (response.status === 404) return (response.discard(), 'joined');
          if (isConditional(condition) && [409, 412].includes(response.status)) return (response.discard(), 'exists');
          if (isConditional(condition) && response.status === 501) return (response.discard(), 'unsupported');
          // Status 200 is sent before the parts are joined, so the body may contain an error.
          return /<Error>/.test(await textOf(await expectStatus(response, 200))) ? 'failed' : 'joined';
        },
        signal,
      );
    const newOnly = this.#hasExtras && this.#canJoinIfNew;
    let outcome = await join(newOnly ? { 'if-none-match': '*' } : {});
    if (outcome === 'unsupported') {
      this.#canJoinIfNew = false;
      outcome = await join({});
    }
    if (outcome === 'joined') return;
    await this.#giveUp(upload, signal);
    // `#verified` compares the object that was created in the meantime.
    if (outcome === 'exists') return;
    throw new DomainError(
      'unavailable',
      `${this.name}: the parts of ${key} could not be joined; the upload is retried later.`,
    );
  }

  /**
   * Checks a written object. Throws `unavailable` if it is missing or its checksum is wrong, `conflict` if its size or
   * its recorded CRC differs.
   */
  async #verified(upload: Upload, parts: readonly string[], signal: AbortSignal | undefined): Promise<ObjectInfo> {
    const { key, journal } = upload;
    const found = await this.#head(key, signal);
    if (found === undefined) {
      await journal.write(undefined);
      throw new DomainError(
        'unavailable',
        `${this.name}: ${key} is missing after its upload; the upload is retried later.`,
      );
    }
    const info = this.#sameOrConflict(found.info, upload);
    const expected = [upload.source.crc32c, compositeCrc(parts)];
    if (found.checksum !== undefined && expected.includes(found.checksum)) return info;
    // Some services report no checksum, or combine the checksums of parts in another way, so the object is read.
    const own = await crcOfPieces(this.read(info, { start: 0, end: info.bytes - 1 }, signal));
    if (own === upload.source.crc32c) return info;
    await this.remove(key, signal);
    throw new DomainError(
      'unavailable',
      `${this.name}: ${key} was stored with another checksum; the upload is retried later.`,
    );
  }

  /** Adds a missing checksum. Reads the object if its metadata have none, as in a copy by another tool. */
  async #withChecksum(info: ObjectInfo, signal: AbortSignal | undefined): Promise<ObjectInfo> {
    if (info.crc32c !== undefined) return info;
    return { ...info, crc32c: await crcOfPieces(this.read(info, { start: 0, end: info.bytes - 1 }, signal)) };
  }

  #sameOrConflict(info: ObjectInfo, { source, key }: Upload): ObjectInfo {
    if (info.bytes === source.bytes && info.crc32c === source.crc32c) return info;
    throw new DomainError(
      'conflict',
      `${this.name}: ${key} exists with other bytes. Remove it, or use another folder.`,
    );
  }

  #href(key: string, query: Record<string, string> = {}): string {
    return this.#bucketHref(query, this.#settings.bucket.prefix + key);
  }

  #bucketHref(query: Record<string, string>, path = ''): string {
    const { endpoint, bucket } = this.#settings;
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${bucket.bucket}${path === '' ? '' : `/${path}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }
}

const isConditional = (headers: Readonly<Record<string, string>>): boolean => 'if-none-match' in headers;

/** Outcome of joining the parts of an upload. `exists`: the object was created in the meantime. */
type JoinOutcome = 'joined' | 'exists' | 'unsupported' | 'failed';

function tagOf(xml: string, tag: string): string {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? '';
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const isLost = (error: unknown): boolean =>
  error instanceof DomainError && error.cause instanceof Refused && [400, 404].includes(error.cause.status);
