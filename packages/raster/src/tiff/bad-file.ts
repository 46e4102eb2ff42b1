import { DomainError } from '@headwater/core/errors';

/** An `input_data` error about one file: name, problem, remedy. */
export function badFile(href: string, problem: string, cause?: unknown): DomainError {
  const name = withoutSecrets(href);
  return new DomainError('input_data', `${name}: ${problem}`, {
    details: { file: name },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** True for an http(s) address. */
export function isHttp(href: string): boolean {
  return /^https?:/i.test(href);
}

/** Signed URLs carry secrets in their query or user part; messages show the address without them. */
export function withoutSecrets(href: string): string {
  return isHttp(href) ? href.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//') : href;
}
