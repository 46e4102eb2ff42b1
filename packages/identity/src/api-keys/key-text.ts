import { DomainError } from '@headwater/core';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 8;
const SECRET_LENGTH = 32;
const TEXT_LENGTH = PREFIX_LENGTH + 1 + SECRET_LENGTH;
const TEXT = /^[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}$/;
const MASKED_SECRET = '*'.repeat(SECRET_LENGTH);

/**
 * Largest multiple of the alphabet's size up to 256. Bytes from this value are skipped, because otherwise the
 * first letters would be more frequent.
 */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** Fills bytes with random values, as `crypto.getRandomValues` does. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => void;

/**
 * Text of a new key: a prefix of 8 characters, a dot, and a secret of 32 characters (190 bits). The store finds the key
 * by its prefix.
 */
export function newKeyText(fill: FillRandom = fillRandom): string {
  const letters = randomLetters(PREFIX_LENGTH + SECRET_LENGTH, fill);
  return `${letters.slice(0, PREFIX_LENGTH)}.${letters.slice(PREFIX_LENGTH)}`;
}

/** Prefix of a key's text; undefined if the text cannot be a key. */
export function prefixOf(text: string): string | undefined {
  return text.length === TEXT_LENGTH && TEXT.test(text) ? text.slice(0, PREFIX_LENGTH) : undefined;
}

/** Text of a key for lists, with masked secret. */
export function maskedText(prefix: string): string {
  return `${prefix}.${MASKED_SECRET}`;
}

/** Prefix of a masked text; undefined for other texts. */
export function prefixOfMasked(text: string): string | undefined {
  const prefix = text.slice(0, PREFIX_LENGTH);
  return text === maskedText(prefix) ? prefix : undefined;
}

function fillRandom(bytes: Uint8Array<ArrayBuffer>): void {
  globalThis.crypto.getRandomValues(bytes);
}

function randomLetters(count: number, fill: FillRandom): string {
  const bytes = new Uint8Array(2 * count);
  let letters = '';
  while (letters.length < count) {
    fill(bytes);
    for (const byte of bytes) if (byte < FAIR_BYTES) letters += ALPHABET.charAt(byte % ALPHABET.length);
  }
  return letters.slice(0, count);
}

/** Error for an account that already has the maximum number of active keys. */
export function tooManyKeys(most: number): DomainError {
  const text = `You have ${most} active API keys, which is the maximum for an account; deactivate one that is not needed.`;
  return new DomainError('conflict', text);
}
