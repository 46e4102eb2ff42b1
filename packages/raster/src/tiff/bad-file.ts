import { DomainError, publicAddress } from '@headwater/core/errors';

/** An `input_data` error about one file: name, problem, remedy. */
export function badFile(href: string, problem: string, cause?: unknown): DomainError {
  const name = publicAddress(href);
  return new DomainError('input_data', `${name}: ${problem}`, {
    details: { file: name },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** An `input_data` error about headers that cannot be parsed, or must not be. */
export function unreadableHeaders(
  { href, size }: { readonly href: string; readonly size: number | null },
  why: string,
  cause?: unknown,
): DomainError {
  const has = size === null ? '' : ` (the file has ${size} bytes)`;
  return badFile(
    href,
    `its TIFF headers cannot be read, ${why}: it is damaged or truncated${has}; fetch it again`,
    cause,
  );
}

/** True for an http(s) address. */
export function isHttp(href: string): boolean {
  return /^https?:/i.test(href);
}
