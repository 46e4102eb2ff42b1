import type { FakeUser } from './model.ts';
import type { FakeAnswer } from './wire.ts';
import type { Wire } from './wire.ts';

/** Users and tokens that the fake accepts. */
export interface GateParts {
  readonly users: Readonly<Record<string, FakeUser>>;
  /** Accepted tokens, in addition to the tokens that `signIn` creates. */
  readonly tokens: readonly string[];
  /** False: a basic header gets 401, as without Airflow 2's backend for basic authentication. */
  readonly isBasicEnabled: boolean;
}

/** Checks basic authentication (Airflow 2) and bearer tokens (both versions), which can be revoked. */
export class Gate {
  readonly #parts: GateParts;
  readonly #tokens = new Map<string, FakeUser | undefined>();
  #issued = 0;

  constructor(parts: GateParts) {
    this.#parts = parts;
    for (const token of parts.tokens) this.#tokens.set(token, undefined);
  }

  /** Accepts one more bearer token. */
  allow(token: string): void {
    this.#tokens.set(token, undefined);
  }

  /** Revokes every token. */
  revoke(): void {
    this.#tokens.clear();
  }

  /** Airflow 3's `POST /auth/token`. */
  signIn(body: unknown): FakeAnswer {
    const of = (name: string): unknown =>
      typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
    const user = this.#parts.users[String(of('username'))];
    if (user === undefined || user.password !== of('password'))
      return { status: 401, body: { detail: 'Invalid credentials' } };
    this.#issued += 1;
    const token = `fake-token-${this.#issued}`;
    this.#tokens.set(token, user);
    return { status: 201, body: { access_token: token } };
  }

  /** Refusal of a request; undefined if allowed. */
  refusal(authorization: string, isRead: boolean, wire: Wire): FakeAnswer | undefined {
    const [scheme, value = ''] = authorization.split(' ');
    const user = scheme === 'Basic' && wire.api === 'v1' ? this.#basic(value) : undefined;
    const isKnown = user !== undefined || (scheme === 'Bearer' && this.#tokens.has(value));
    if (!isKnown && scheme === 'Bearer' && wire.api === 'v2')
      return { status: 403, body: { detail: 'Invalid JWT token' } };
    if (!isKnown) return wire.problem({ status: 401, title: 'Unauthorized', detail: null });
    const role = (user ?? this.#tokens.get(value))?.role;
    return role === 'Viewer' && !isRead ? wire.problem({ status: 403, title: 'Forbidden', detail: null }) : undefined;
  }

  #basic(encoded: string): FakeUser | undefined {
    if (!this.#parts.isBasicEnabled) return undefined;
    const text = decodedBase64(encoded);
    const colon = text.indexOf(':');
    const user = this.#parts.users[text.slice(0, colon)];
    return user?.password === text.slice(colon + 1) ? user : undefined;
  }
}

function decodedBase64(encoded: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0));
  } catch {
    return '';
  }
}
