import type { EoAccount } from '@headwater/core';
import type { CREDENTIAL_TEXTS } from '../pages/credential-texts.ts';
import { localText } from '../pages/texts.ts';
import type { LocalText, Tone } from './admin-resource.ts';

/** Checks of a connection, in their order. */
export type CredentialCheck = 'file' | 'json' | 'email' | 'token' | 'bucket';

/** Result of one check of a connection. */
export interface CredentialStep {
  readonly check: CredentialCheck;
  /** State of the check; `off`: not checked. */
  readonly state: Tone;
  /** Reason and remedy, without any part of a key, assertion or token. */
  readonly detail?: LocalText;
}

/** Uploaded JSON key of a service account. */
export interface UploadedKey {
  readonly email: string;
  /** Encrypts the key for an account (decision 235). */
  readonly sealFor: (accountId: number) => string;
}

/** Credentials of Earth-observation accounts: a mounted file, and encrypted keys of accounts. */
export interface EoCredentials {
  /** False if no file is mounted. Default: true. */
  readonly isMounted?: boolean;
  /** Reads an uploaded key. Throws `validation` (field `credentials`). If absent, keys cannot be uploaded. */
  readonly keyOf?: (text: string) => UploadedKey;
  /** Reason why an account's credentials cannot be used, or undefined. Sends no request, never rejects. */
  readonly problemOf?: (account: EoAccount) => Promise<string | undefined>;
  /** E-mail address of the mounted service account; undefined for an unusable file. Never rejects. */
  readonly email: () => Promise<string | undefined>;
  /** Tests the connection of an account. Never rejects; resolves also if the signal aborts. */
  readonly test: (account: EoAccount, signal: AbortSignal) => Promise<readonly CredentialStep[]>;
}

/** Reason of a failed check in every language; `parts`: values of its placeholders. */
export function credentialReason(
  reason: keyof typeof CREDENTIAL_TEXTS,
  parts: Readonly<Record<string, string | number>> = {},
): LocalText {
  return localText(reason, parts);
}
