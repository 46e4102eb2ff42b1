import type { EoAccount } from '@headwater/core';
import type { CREDENTIAL_TEXTS } from '../pages/credential-texts.ts';
import { localText } from '../pages/texts.ts';
import type { LocalText, Tone } from './admin-resource.ts';

/** Checks of a connection, in the order in which they are made. */
export type CredentialCheck = 'file' | 'json' | 'email' | 'token' | 'bucket';

/** Result of one check of a connection. */
export interface CredentialStep {
  readonly check: CredentialCheck;
  /** `off`: not checked, because an earlier check failed or nothing is set. */
  readonly state: Tone;
  /** Reason and remedy; never a part of a key, an assertion or a token. */
  readonly detail?: LocalText;
}

/** The credentials file that an operator mounted for Earth-observation accounts. */
export interface EoCredentials {
  /** E-mail address of the file's service account; undefined if the file cannot be used. Never rejects. */
  readonly email: () => Promise<string | undefined>;
  /** Tests the connection of an account. Resolves with one step for each check, also if the signal aborts; never rejects. */
  readonly test: (account: EoAccount, signal: AbortSignal) => Promise<readonly CredentialStep[]>;
}

/** A reason of a failed check in every language, by its name in our catalogue; `parts`: values for its placeholders. */
export function credentialReason(
  reason: keyof typeof CREDENTIAL_TEXTS,
  parts: Readonly<Record<string, string | number>> = {},
): LocalText {
  return localText(reason, parts);
}
