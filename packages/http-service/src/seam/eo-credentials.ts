import type { EoAccount } from '@headwater/core';
import type { CREDENTIAL_TEXTS } from '../pages/credential-texts.ts';
import { localText } from '../pages/texts.ts';
import type { LocalText, Tone } from './admin-resource.ts';

/** Checks of a connection, in the order in which they are made. */
export type CredentialCheck = 'file' | 'json' | 'email' | 'token' | 'bucket';

/** Result of one check of a connection. */
export interface CredentialStep {
  readonly check: CredentialCheck;
  /** `off`: not checked, because an earlier check failed, or because there is nothing to check. */
  readonly state: Tone;
  /** Reason and remedy; never a part of a key, an assertion or a token. */
  readonly detail?: LocalText;
}

/** The JSON key of a service account that a superuser uploads. */
export interface UploadedKey {
  readonly email: string;
  /** Encrypts the key for an account; the result is stored with the account. */
  readonly sealFor: (accountId: number) => string;
}

/** Credentials of Earth-observation accounts: the file that an operator mounted, and the encrypted keys of accounts. */
export interface EoCredentials {
  /** False if no file is mounted, so that only accounts with keys of their own work. Default: true. */
  readonly isMounted?: boolean;
  /** Reads an uploaded key. Throws `validation` (field `credentials`). Default: keys cannot be uploaded. */
  readonly keyOf?: (text: string) => UploadedKey;
  /**
   * Reason why the credentials of an account cannot be used; undefined if the credentials can be used. Sends no request and never
   * rejects. The text is the end of a sentence that begins with the name of the account. Default: not checked.
   */
  readonly problemOf?: (account: EoAccount) => Promise<string | undefined>;
  /** E-mail address of the file's service account; undefined if the file cannot be used. Never rejects. */
  readonly email: () => Promise<string | undefined>;
  /** Tests the connection of an account. Resolves with one step for each check, also if the signal aborts; never rejects. */
  readonly test: (account: EoAccount, signal: AbortSignal) => Promise<readonly CredentialStep[]>;
}

/**
 * A reason of a failed check in every language, by its name in the catalogue of texts; `parts`: values for its placeholders.
 */
export function credentialReason(
  reason: keyof typeof CREDENTIAL_TEXTS,
  parts: Readonly<Record<string, string | number>> = {},
): LocalText {
  return localText(reason, parts);
}
