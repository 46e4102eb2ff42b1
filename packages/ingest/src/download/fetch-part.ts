import { DomainError, isDomainError, publicAddress } from '@headwater/core/errors';
import { type NetResponse, type Network, TransientFailure, transientFailure } from '@headwater/net';
import { authorization, withoutUser } from '../scenes/href.ts';
import { ifRangeOf, isOtherVersion, versionOf } from './file-version.ts';
import { checkRoom } from './free-space.ts';
import type { PartFile } from './part-file.ts';
import type { FileVersion } from './download-state.ts';

interface Pace {
  readonly windowMs: number;
  readonly leastBytes: number;
}

/**
 * Aborts `work` if it receives fewer than `leastBytes` in a period of `windowMs`. Otherwise a slow server could keep it
 * running forever.
 */
async function atPace<T>(
  { windowMs, leastBytes }: Pace,
  signal: AbortSignal,
  work: (signal: AbortSignal, received: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  let bytes = 0;
  const timer = setInterval(() => {
    if (bytes < leastBytes) slow.abort(new Error(`received only ${bytes} bytes in ${windowMs / 1000} s`));
    bytes = 0;
  }, windowMs);
  try {
    return await work(AbortSignal.any([signal, slow.signal]), (more) => void (bytes += more));
  } catch (error) {
    // Throws the reason of the abort, because the platform's error lacks it.
    slow.signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(timer);
  }
}

const MAX_RESTARTS = 5;
/** Minimum number of bytes of a successful connection. After a failed connection there is a pause. */
const WORTH_BYTES = 1_000_000;

interface DownloadContext {
  /** Address of the file. It may contain secrets, so never log or show it. */
  readonly url: string;
  readonly part: PartFile;
  readonly network: Network;
  readonly pace: Pace;
  /** True if a checksum will prove that all parts belong to one file. */
  readonly isChecked: boolean;
  readonly freeBytes: () => Promise<number>;
  readonly mostBytes: number;
  readonly progress: (received: number, total: number | undefined) => void;
  readonly notice: (message: string) => void;
  readonly signal: AbortSignal;
}

interface More {
  readonly kind: 'more';
  /** True if the server sent the whole file instead of the rest. */
  readonly isFromStart: boolean;
}

/**
 * Downloads the rest of the file. Throws `unavailable` without a response or after too many restarts, `input_data` if a
 * retry would not help, `storage_full`, or the signal's reason.
 */
export async function fetchPart(context: DownloadContext): Promise<void> {
  const { part, network, signal, notice } = context;
  const shown = publicAddress(context.url);
  for (let begun = 0; !part.isWhole;) {
    const end = await network.request<More | Restart>({ shown, signal, ask: (until) => attempt(context, until) });
    if (end.kind === 'more' && !end.isFromStart) continue;
    const why =
      end.kind === 'restart' ? end.why : 'the server sends the whole file although only the rest was requested';
    begun += 1;
    if (begun > MAX_RESTARTS && !part.isWhole)
      throw new DomainError(
        'unavailable',
        `${shown}: the download was restarted ${MAX_RESTARTS} times, the last time because ${why}; try again later, or use another address of the file`,
      );
    notice(`${shown}: the download restarts, because ${why}`);
    if (end.kind === 'restart') await part.restart();
  }
}

async function attempt(context: DownloadContext, until: AbortSignal): Promise<More | Restart | TransientFailure> {
  const { part, network, pace, signal: stop } = context;
  const from = part.size;
  const ifRange = ifRangeOf(part.version);
  if (from > 0 && ifRange === undefined && !context.isChecked)
    return { kind: 'restart', why: 'neither a version nor a checksum proves that the rest belongs to the same file' };
  let [byteCount, isFromStart] = [0, false];
  const ask = async (
    signal: AbortSignal,
    received: (bytes: number) => void,
  ): Promise<Restart | TransientFailure | undefined> => {
    const answer = await network.send(requestFor(context.url, from, ifRange), signal);
    const body = rangeAnswer(answer, { from, version: part.version, nowMs: network.tools.now() });
    if (body instanceof TransientFailure || body.kind === 'restart') {
      answer.discard();
      return body;
    }
    isFromStart = body.from < from;
    const count = (bytes: number): void => {
      byteCount += bytes;
      received(bytes);
    };
    await receive(context, { answer, body, received: count });
    return undefined;
  };
  const isWorth = (): boolean => part.isWhole || byteCount >= WORTH_BYTES;
  try {
    const end = await atPace(pace, until, ask);
    return end ?? (isWorth() ? { kind: 'more', isFromStart } : new TransientFailure('it sent too few bytes'));
  } catch (error) {
    if (isDomainError(error) || stop.aborted || !isWorth()) throw error;
    return { kind: 'more', isFromStart };
  } finally {
    if (byteCount > 0) await part.sync();
  }
}

function requestFor(url: string, from: number, ifRange: string | undefined) {
  const href = withoutUser(url);
  const range = { range: `bytes=${from}-`, ...(ifRange === undefined ? {} : { 'if-range': ifRange }) };
  return { href, headers: { 'accept-encoding': 'identity', ...(from > 0 ? range : {}) }, ...authorization(url, href) };
}

interface IncomingBody {
  readonly answer: NetResponse;
  readonly body: Body;
  readonly received: (bytes: number) => void;
}

async function receive(
  { part, freeBytes, progress, mostBytes, isChecked }: DownloadContext,
  { answer, body, received }: IncomingBody,
): Promise<void> {
  const { total } = body.version;
  const pieces = answer.pieces();
  const most = total ?? mostBytes;
  const refuse = (problem: string): DomainError => {
    answer.discard();
    return new DomainError('input_data', `${answer.shown}: ${problem}`);
  };
  if (most > mostBytes)
    throw refuse(`it is larger than the ${mostBytes} bytes that may be read; split the file, or correct the address`);
  if (total === undefined && !isChecked && answer.header('transfer-encoding') === undefined)
    throw refuse(
      'the server does not send the length of the file; set the SHA-256 of the file, which proves that it is complete',
    );
  checkRoom(await freeBytes(), { received: body.from, total });
  await part.begin(body.version, body.from);
  for await (const piece of pieces) {
    if (part.size + piece.byteLength > most)
      throw refuse(
        `it is longer than the ${most} bytes that were announced or are allowed; check the address and the server`,
      );
    received(piece.byteLength);
    const isSure = await part.write(piece);
    progress(part.size, total);
    if (isSure) checkRoom(await freeBytes(), { received: part.size, total });
  }
  if (total === undefined) await part.end();
}

interface RangeRequest {
  /** First byte; 0 means the whole file, which is requested without a range. */
  readonly from: number;
  /** Version of the received bytes. */
  readonly version: FileVersion;
  readonly nowMs: number;
}

interface Body {
  readonly kind: 'body';
  readonly from: number;
  readonly version: FileVersion;
}

interface Restart {
  readonly kind: 'restart';
  readonly why: string;
}

/** Reads the response to a request for a range. Throws `input_data` if a retry would give this error again. */
function rangeAnswer(answer: NetResponse, requested: RangeRequest): Body | Restart | TransientFailure {
  const failure = transientFailure(answer, requested.nowMs);
  if (failure !== undefined) return failure;
  if (answer.status === 206) return partOfFile(answer, requested);
  if (answer.status === 416 && requested.from > 0)
    return restart('the file on the server is shorter than the part that was already received');
  if (answer.status === 200) return { kind: 'body', from: 0, version: versionOf(answer, lengthOf(answer)) };
  throw new DomainError(
    'input_data',
    `${answer.shown}: the server responded with HTTP ${answer.status}; correct the address, or check that the file is public`,
  );
}

function partOfFile(answer: NetResponse, { from, version }: RangeRequest): Body | Restart {
  if (from === 0)
    throw new DomainError(
      'input_data',
      `${answer.shown}: the server sent a part (HTTP 206) although the request was for the whole file; use another address of the file`,
    );
  const [, first, last, total] =
    /^\s*bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})\s*$/i.exec(answer.header('content-range') ?? '') ?? [];
  if (first === undefined || Number(first) !== from || Number(last) < from || Number(last) >= Number(total))
    return restart('the server sent another range than requested');
  const now = versionOf(answer, Number(total));
  if (isOtherVersion(version, now)) return restart('the file on the server has changed');
  return { kind: 'body', from, version: { ...version, ...now } };
}

function lengthOf(answer: NetResponse): number | undefined {
  const text = answer.header('content-length');
  return text === undefined ? undefined : Number(text);
}

const restart = (why: string): Restart => ({ kind: 'restart', why });
