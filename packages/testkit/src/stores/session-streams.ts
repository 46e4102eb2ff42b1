import type { Stores } from '@headwater/http-service/testing';
import { createHeadwater, createScryptHasher, toFetchHandler } from '@headwater/http-service';
import { expect, it } from 'vitest';
import type { Get } from './sample.ts';

const PASSWORD = 'example-password';
const SECRET = 'a key for suites only, never for a real service';
const RUN = { pipeline: 'p', params: {} } as const;

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** Creates a service on these stores. Two services on the same stores are like two servers on one database. */
function serverOver(stores: Stores) {
  const hasher = createScryptHasher({ N: 1024, r: 8, p: 1 });
  const headwater = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: SECRET,
    stores,
    identity: { hasher },
  });
  const handler = toFetchHandler(headwater.service);
  const send = (path: string, init: RequestInit): Promise<Response> =>
    handler(new Request(`http://headwater.example/api/v1/${path}/`, init), { remoteAddress: '10.0.0.1' });
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    accounts: headwater.accounts,
    post,
    follow: (run: string, { access }: Tokens) => send(`runs/${run}/events`, { headers: bearerOf(access) }),
    signIn: async (username: string): Promise<Tokens> => {
      const answer = await post('auth/login', { username, password: PASSWORD });
      return (await answer.json()) as Tokens;
    },
  };
}

const bearerOf = (access: string): { readonly authorization: string } => ({ authorization: `Bearer ${access}` });

type Server = ReturnType<typeof serverOver>;

interface Ending {
  /** False if the action ends only the given session. */
  readonly endsAll: boolean;
  readonly end: (other: Server, session: Tokens, userId: number) => Promise<unknown>;
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  'a logout': {
    endsAll: false,
    end: (other, { access, refresh }) => other.post('auth/logout', { refresh_token: refresh }, bearerOf(access)),
  },
  'the second use of a refresh token': {
    endsAll: false,
    async end(other, { refresh }) {
      for (const _ of ['first', 'second']) await other.post('auth/token/refresh', { refresh });
    },
  },
  'a change of the password': {
    endsAll: true,
    end: (other, _, userId) => other.accounts.resetPassword(userId, 'tall-river-42'),
  },
  'a disabled account': { endsAll: true, end: (other, _, userId) => other.accounts.setActive(userId, false) },
};

/** Test case of event streams. A stream ends with its session, even if another server ends the session. */
export function sessionStreamCases(get: Get): void {
  it('an event stream ends when its session ends at another server, but not when another session ends', async () => {
    const stores = get();
    const [one, other] = [serverOver(stores), serverOver(stores)];
    const cases = Object.values(ENDINGS).map(async ({ end, endsAll }, index) => {
      const [username, id] = [`name${index}`, `01900000-0000-7000-8000-00000000000${index}`];
      const { id: ownerId } = await one.accounts.createUser({ username, password: PASSWORD });
      await stores.runs.enqueue({ ...RUN, id, fingerprint: id, ownerId });
      const [ending, lasting] = [await one.signIn(username), await one.signIn(username)];
      const [stream, lastingStream] = await Promise.all([one.follow(id, ending), one.follow(id, lasting)]);
      expect([stream.status, lastingStream.status]).toEqual([200, 200]);
      const [text, whole] = [stream.text(), lastingStream.text()];
      await end(other, ending, ownerId);
      expect((await one.follow(id, ending)).status).toBe(401);
      expect(await text).toContain('"state":"queued"');
      if (endsAll) expect(await whole).toContain('"state":"queued"');
      await stores.runs.requestCancel(id);
      expect((await whole).includes('"state":"failed"')).toBe(!endsAll);
    });
    await Promise.all(cases);
  });
}
