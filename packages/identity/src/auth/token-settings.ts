import { invalidField } from '@headwater/core';

/** Key, names and lifetimes of tokens. */
export interface TokenSettings {
  /** HMAC key, at least 32 random bytes. */
  readonly secret: Uint8Array;
  /** Claim `iss`. */
  readonly issuer: string;
  /** Claim `aud`. */
  readonly audience: string;
  /** Lifetime of an access token, seconds. */
  readonly accessTtlSeconds: number;
  /** Lifetime of a refresh token, seconds; at least `accessTtlSeconds`. */
  readonly refreshTtlSeconds: number;
  /** Lifetime of a session, seconds from the sign-in, not extended by refreshing; at least `refreshTtlSeconds`. */
  readonly sessionTtlSeconds: number;
}

const DAY_SECONDS = 86_400;

/** Default lifetimes and names. Access tokens live long, because existing dashboards never refresh them. */
export const TOKEN_DEFAULTS = {
  issuer: 'headwater',
  audience: 'headwater-api',
  accessTtlSeconds: 90 * DAY_SECONDS,
  refreshTtlSeconds: 120 * DAY_SECONDS,
  sessionTtlSeconds: 365 * DAY_SECONDS,
} as const satisfies Omit<TokenSettings, 'secret'>;

const MIN_SECRET_BYTES = 32;

/** Returns the settings. Throws `validation` with the name of an unsafe setting. */
export function checkTokenSettings(settings: TokenSettings): TokenSettings {
  const { secret, issuer, audience, accessTtlSeconds, refreshTtlSeconds, sessionTtlSeconds } = settings;
  if (secret.length < MIN_SECRET_BYTES) {
    throw invalidField('secret', `has ${secret.length} bytes; give at least ${MIN_SECRET_BYTES} random bytes.`);
  }
  // A repeated byte is not random; zeros even equal an empty key, because HMAC pads with zeros.
  if (secret.every((byte) => byte === secret[0])) {
    throw invalidField('secret', 'repeats one byte; give random bytes.');
  }
  if (issuer === '') throw invalidField('issuer', 'is empty; give a name for this service.');
  if (audience === '') throw invalidField('audience', 'is empty; give a name for the API.');
  checkSeconds('accessTtlSeconds', accessTtlSeconds);
  checkSeconds('refreshTtlSeconds', refreshTtlSeconds);
  checkSeconds('sessionTtlSeconds', sessionTtlSeconds);
  if (refreshTtlSeconds < accessTtlSeconds) {
    throw invalidField('refreshTtlSeconds', 'is shorter than accessTtlSeconds; give at least as long a lifetime.');
  }
  if (sessionTtlSeconds < refreshTtlSeconds) {
    throw invalidField('sessionTtlSeconds', 'is shorter than refreshTtlSeconds; give at least as long a lifetime.');
  }
  return settings;
}

function checkSeconds(name: string, seconds: number): void {
  if (!Number.isSafeInteger(seconds) || seconds < 1) {
    throw invalidField(name, `is ${seconds}; give a whole number of seconds of at least 1.`);
  }
}
