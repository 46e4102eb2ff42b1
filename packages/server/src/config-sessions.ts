import { ConfigError } from './config-error.ts';

/** Values of the variables that tell how long people stay signed in. */
export interface SessionValues {
  readonly ACCESS_TOKEN_DAYS: number;
  readonly REFRESH_TOKEN_DAYS: number;
  readonly SESSION_DAYS?: number | undefined;
}

/** Access token, refresh token, session: each lives at least as long as the one before, else this throws `ConfigError`. */
export function refuseLifetimes({ ACCESS_TOKEN_DAYS, REFRESH_TOKEN_DAYS, SESSION_DAYS }: SessionValues): void {
  if (REFRESH_TOKEN_DAYS < ACCESS_TOKEN_DAYS) {
    throw new ConfigError(
      `REFRESH_TOKEN_DAYS: ${REFRESH_TOKEN_DAYS} is less than ACCESS_TOKEN_DAYS (${ACCESS_TOKEN_DAYS}); a refresh token must live at least as long.`,
    );
  }
  if (SESSION_DAYS !== undefined && SESSION_DAYS < REFRESH_TOKEN_DAYS) {
    throw new ConfigError(
      `SESSION_DAYS: ${SESSION_DAYS} is less than REFRESH_TOKEN_DAYS (${REFRESH_TOKEN_DAYS}); lower that too, or leave SESSION_DAYS out.`,
    );
  }
}

/** Days that a session lasts where nothing is set. */
const SESSION_DAYS = 365;

/** Days that a session lasts: at least as long as its refresh token. */
export function sessionDays({ SESSION_DAYS: given, REFRESH_TOKEN_DAYS: refreshDays }: SessionValues): number {
  return given ?? Math.max(SESSION_DAYS, refreshDays);
}
