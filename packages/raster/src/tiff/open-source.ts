import { isHttp } from './bad-file.ts';
import type { ByteSource } from './byte-source.ts';
import { openFileSource } from './file-source.ts';
import { openHttpSource } from './http-source.ts';

/** Opens an absolute path, a file: URL or an http(s) URL; throws `input_data` that names it. */
export async function openSource(href: string, signal?: AbortSignal): Promise<ByteSource> {
  return isHttp(href) ? openHttpSource(href, signal) : openFileSource(href);
}
