import { stillClock } from '../../../../scripts/still-clock.mjs';
import { Network } from '@headwater/net';
import { googleTokens, serviceAccountOf } from '@headwater/net/google';
import { expect, it, onTestFinished } from 'vitest';
import { createAccountKeys, FakeGoogle } from './fake-google.ts';

async function tokenFor(google: FakeGoogle, signer: FakeGoogle): Promise<string> {
  const { origin, close } = await google.listen();
  onTestFinished(close);
  const network = new Network({ settings: { allowedOrigins: [origin] }, tools: stillClock().tools });
  const account = serviceAccountOf(signer.keyFor(origin));
  return await googleTokens({ account, scopes: ['scope'], network }).token();
}

it('a fake refuses an assertion that the key of another fake signed, and accepts it if both have the same keys', async () => {
  const keys = createAccountKeys();
  expect(await tokenFor(new FakeGoogle({ keys }), new FakeGoogle({ keys }))).toBe('token-1');
  await expect(tokenFor(new FakeGoogle({ keys }), new FakeGoogle())).rejects.toThrow('invalid_grant');
});
