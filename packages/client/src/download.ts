import { addressAt, type Connection } from './connection.ts';

/** An open file of the service. */
export interface Download {
  /** Bytes of the file. Read the stream once, or cancel it. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Size in bytes; undefined if the service does not send the size, or compresses the file. */
  readonly bytes: number | undefined;
  readonly type: string;
  /** Name of the file, without folders. */
  readonly name: string;
}

/** Options of a download. */
export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
}

/** Opens a file: the href of an asset or link, or a path of the service. Throws a `HeadwaterError` on failure. */
export async function download(
  connection: Connection,
  address: string,
  { signal, query = {} }: DownloadOptions = {},
): Promise<Download> {
  const url = addressAt(connection.baseUrl, address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const response = await connection.send(new Request(url, signal === undefined ? {} : { signal }));
  const { headers, body } = response;
  const size = headers.get('content-length');
  const isWhole = size !== null && (headers.get('content-encoding') ?? 'identity') === 'identity';
  return {
    stream: body ?? new Response('').body ?? new ReadableStream(),
    bytes: isWhole ? Number(size) : undefined,
    type: headers.get('content-type') ?? 'application/octet-stream',
    name: nameIn(headers.get('content-disposition')) ?? decoded(url.pathname.split('/').findLast(Boolean) ?? 'file'),
  };
}

/**
 * Name in the header `content-disposition`, without folders, so that it cannot point outside of the caller's folder.
 */
function nameIn(disposition: string | null): string | undefined {
  const [, quoted, bare] = /;\s*filename=(?:"([^"]*)"|([^;\s]+))/i.exec(disposition ?? '') ?? [];
  const name = (quoted ?? bare)?.split(/[\\/]/).at(-1);
  return name === '' || name === '.' || name === '..' ? undefined : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll(/[\\/]/g, '_');
  } catch {
    return text;
  }
}
