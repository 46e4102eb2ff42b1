import { SERVER_LIMITS, type ServerLimits } from '@headwater/http-service';

/** The variables that limit what clients may hold open. */
interface LimitVariables {
  readonly MAX_CONNECTIONS: number;
  readonly REQUEST_TIMEOUT_SECONDS: number;
  readonly WRITE_TIMEOUT_SECONDS: number;
}

const SECOND_MS = 1000;

/** The limits of the server that these variables describe. */
export function serverLimits(values: LimitVariables): ServerLimits {
  return {
    ...SERVER_LIMITS,
    maxConnections: values.MAX_CONNECTIONS,
    requestTimeoutMs: values.REQUEST_TIMEOUT_SECONDS * SECOND_MS,
    writeTimeoutMs: values.WRITE_TIMEOUT_SECONDS * SECOND_MS,
  };
}
