import { DomainError, publicAddress } from '@headwater/core/errors';

/** An `input_data` error about one file: name, problem, remedy. */
export function badFile(href: string, problem: string, cause?: unknown): DomainError {
  const name = publicAddress(href);
  return new DomainError('input_data', `${name}: ${problem}`, {
    details: { file: name },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** True for an http(s) address. */
export function isHttp(href: string): boolean {
  return /^https?:/i.test(href);
}
