import { DomainError, isDomainError, publicAddress } from '@headwater/core/errors';
import { type NetResponse, type Network, TransientFailure } from '@headwater/net';
import { authorization, withoutUser } from '../scenes/href.ts';
import { ifRangeOf } from './file-version.ts';
import { checkRoom } from './free-space.ts';
import type { PartFile } from './part-file.ts';
import { type Anew, type Body, rangeAnswer } from './range-answer.ts';

/** The least that must come. */
interface Pace {
  /** Length of a look, ms. */
  readonly lookMs: number;
  /** Bytes that must come in it. */
  readonly leastBytes: number;
}

/**
 * Runs `work` as long as it reports at least so many bytes in each look; else its signal aborts, with an error that says so: a server
 * that sends a byte a minute would hold a download for ever.
 */
async function atPace<T>(
  { lookMs, leastBytes }: Pace,
  signal: AbortSignal,
  work: (signal: AbortSignal, came: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  let bytes = 0;
  const look = setInterval(() => {
    if (bytes < leastBytes) slow.abort(new Error(`${bytes} bytes came in ${lookMs / 1000} s`));
    bytes = 0;
  }, lookMs);
  try {
    return await work(AbortSignal.any([signal, slow.signal]), (more) => void (bytes += more));
  } catch (error) {
    // What the platform throws for an aborted request does not say why.
    slow.signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(look);
  }
}

/** Times that a file is begun anew at most: one that changes faster than it can be read would never be whole. */
const MOST_ANEW = 5;
/** An attempt that brought less counts as one that failed, and a pause follows it. */
const WORTH_BYTES = 1_000_000;

/** A file that is being fetched. */
export interface Fetching {
  /** May hold user name, password and a signature: never shown. */
  readonly url: string;
  readonly part: PartFile;
  readonly network: Network;
  readonly pace: Pace;
  /** True where a checksum tells in the end whether all parts are of one file. */
  readonly isChecked: boolean;
  readonly freeBytes: () => Promise<number>;
  readonly mostBytes: number;
  readonly progress: (received: number, total: number | undefined) => void;
  /** Told in words why all begins anew. */
  readonly notice: (message: string) => void;
  readonly signal: AbortSignal;
}

/** How a connection ended that brought something. */
interface More {
  readonly kind: 'more';
  /** True where the server sent the whole file again, though its rest was asked for. */
  readonly isAgain: boolean;
}

/**
 * Fetches what the part lacks, over as many connections as it takes. Throws `unavailable` when the server does not answer for too
 * long or never keeps to one version, `input_data` for what another attempt would meet again, `storage_full`, and the signal's reason.
 */
export async function fetchPart(fetching: Fetching): Promise<void> {
  const { part, network, signal, notice } = fetching;
  const shown = publicAddress(fetching.url);
  for (let begun = 0; !part.isWhole;) {
    const end = await network.request<More | Anew>({ shown, signal, ask: (until) => attempt(fetching, until) });
    if (end.kind === 'more' && !end.isAgain) continue;
    const why = end.kind === 'anew' ? end.why : 'the server sends the whole file where its rest is asked for';
    begun += 1;
    if (begun > MOST_ANEW && !part.isWhole)
      throw new DomainError(
        'unavailable',
        `${shown}: it was begun anew ${MOST_ANEW} times, the last time because ${why}`,
      );
    notice(`${shown}: begun anew, because ${why}`);
    if (end.kind === 'anew') await part.restart();
  }
}

async function attempt(fetching: Fetching, until: AbortSignal): Promise<More | Anew | TransientFailure> {
  const { part, network, pace, signal: stop } = fetching;
  const from = part.size;
  const ifRange = ifRangeOf(part.version);
  if (from > 0 && ifRange === undefined && !fetching.isChecked)
    return { kind: 'anew', why: 'neither a version nor a checksum tells whether its rest is that of the same file' };
  let [got, isAgain] = [0, false];
  const ask = async (
    signal: AbortSignal,
    came: (bytes: number) => void,
  ): Promise<Anew | TransientFailure | undefined> => {
    const answer = await network.send(requestFor(fetching.url, from, ifRange), signal);
    const meant = rangeAnswer(answer, { from, version: part.version, nowMs: network.tools.now() });
    if (meant instanceof TransientFailure || meant.kind === 'anew') {
      answer.discard();
      return meant;
    }
    isAgain = meant.from < from;
    const count = (bytes: number): void => {
      got += bytes;
      came(bytes);
    };
    await receive(fetching, { answer, meant, came: count });
    return undefined;
  };
  const isWorth = (): boolean => part.isWhole || got >= WORTH_BYTES;
  try {
    const end = await atPace(pace, until, ask);
    return end ?? (isWorth() ? { kind: 'more', isAgain } : new TransientFailure('it sent too little'));
  } catch (error) {
    if (isDomainError(error) || stop.aborted || !isWorth()) throw error;
    return { kind: 'more', isAgain };
  } finally {
    if (got > 0) await part.sync();
  }
}

function requestFor(url: string, from: number, ifRange: string | undefined) {
  const href = withoutUser(url);
  const range = { range: `bytes=${from}-`, ...(ifRange === undefined ? {} : { 'if-range': ifRange }) };
  return { href, headers: { 'accept-encoding': 'identity', ...(from > 0 ? range : {}) }, ...authorization(url, href) };
}

interface Coming {
  readonly answer: NetResponse;
  readonly meant: Body;
  readonly came: (bytes: number) => void;
}

/** Writes the body into the part as it comes; memory holds one piece of it. */
async function receive(
  { part, freeBytes, progress, mostBytes, isChecked }: Fetching,
  { answer, meant, came }: Coming,
): Promise<void> {
  const { total } = meant.version;
  const pieces = answer.pieces();
  const most = total ?? mostBytes;
  const refuse = (problem: string): DomainError => {
    answer.discard();
    return new DomainError('input_data', `${answer.shown}: ${problem}`);
  };
  if (most > mostBytes) throw refuse(`it is larger than the ${mostBytes} bytes that may be read`);
  if (total === undefined && !isChecked && answer.header('transfer-encoding') === undefined)
    throw refuse('the server does not say how long it is; give its checksum, by which its end can be told');
  checkRoom(await freeBytes(), { received: meant.from, total });
  await part.begin(meant.version, meant.from);
  for await (const piece of pieces) {
    if (part.size + piece.byteLength > most)
      throw refuse(`it is longer than the ${most} bytes that were announced or may be read`);
    came(piece.byteLength);
    const isSure = await part.write(piece);
    progress(part.size, total);
    if (isSure) checkRoom(await freeBytes(), { received: part.size, total });
  }
  if (total === undefined) await part.end();
}
