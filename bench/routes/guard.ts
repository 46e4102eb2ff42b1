import { createMemoryStores } from '@headwater/identity/memory';
import { TOKEN_DEFAULTS } from '@headwater/identity';
import { jwtVerify } from 'jose';
import { createBenchUser, SECRET } from './shared.ts';

/**
 * Creates the bearer-token check of a bare host (a framework without our service), with the same checks as our service.
 * Verifies the signature in each request, as middleware usually does; our service verifies it once (decision 263).
 */
export async function createGuard(): Promise<(authorization: string | undefined) => Promise<boolean>> {
  const stores = createMemoryStores();
  await createBenchUser(stores);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const secret = new TextEncoder().encode(SECRET);
  const key = await globalThis.crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
  const { issuer, audience } = TOKEN_DEFAULTS;
  const requiredClaims = ['exp', 'iat', 'jti', 'user_id', 'token_type'];
  return async (authorization = '') => {
    const [scheme, token, ...rest] = authorization.split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0) return false;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        typ: 'JWT',
        issuer,
        audience,
        requiredClaims,
      });
      const { token_type: type, user_id: id, session_version: version, sid } = payload;
      if (type !== 'access' || typeof id !== 'number' || typeof sid !== 'string') return false;
      const { user, isOpen = false } = (await stores.users.ofSession(id, sid)) ?? {};
      return isOpen && user?.isActive === true && user.sessionVersion === version;
    } catch {
      return false;
    }
  };
}
