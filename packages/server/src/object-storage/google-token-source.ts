import { sign } from 'node:crypto';
import { DomainError, messageOf } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { Network } from '@headwater/net';
import { googleTokens, serviceAccountOf } from '@headwater/net/google';
import type { TokenSource } from '@headwater/object-storage';
import { ConfigError } from '../config/config-error.ts';
import { readCredentials } from '../config/credentials.ts';

const SCOPES = ['https://www.googleapis.com/auth/devstorage.read_write'];
/** Origin of Google's metadata server (https://cloud.google.com/compute/docs/metadata/overview). */
const METADATA = 'http://169.254.169.254';
const TOKEN_PATH = '/computeMetadata/v1/instance/service-accounts/default/token';
const EARLY_MS = 60_000;
const TIMEOUT_MS = 5000;
const MOST_BYTES = 65_536;

/**
 * Returns tokens of the service account in a file, otherwise of this machine's account. Throws `ConfigError` for an
 * invalid file.
 */
export async function googleTokenSource(
  path: string | undefined,
  network: Network,
  metadata = METADATA,
): Promise<TokenSource> {
  if (path === undefined) return machineTokens(metadata);
  const file = await readCredentials(path);
  try {
    const account = serviceAccountOf(file.kind === 'read' ? file.content : undefined);
    const signer = {
      email: account.email,
      sign: async (text: string) => sign('sha256', Buffer.from(text), account.key),
    };
    return { ...googleTokens({ account, scopes: SCOPES, network }), signer };
  } catch (error) {
    throw new ConfigError(
      `GOOGLE_APPLICATION_CREDENTIALS: ${path}: ${messageOf(error)}. This file is the key of the bucket in STORAGE_BUCKET_NAME. Mount the file, or unset one of the two settings.`,
    );
  }
}

function machineTokens(metadata: string): TokenSource {
  const network = new Network({ settings: { allowedOrigins: [metadata] } });
  let current: { readonly token: string; readonly untilMs: number } | undefined;
  return {
    async token() {
      if (current === undefined || Date.now() > current.untilMs) current = await machineToken(network, metadata);
      return current.token;
    },
    forget: (token) => {
      if (current?.token === token) current = undefined;
    },
  };
}

async function machineToken(network: Network, metadata: string) {
  const remedy =
    'Set GOOGLE_APPLICATION_CREDENTIALS to the key of a service account, or attach an account to this machine.';
  try {
    const request = { href: `${metadata}${TOKEN_PATH}`, headers: { 'metadata-flavor': 'Google' } };
    const answer = await network.send(request, AbortSignal.timeout(TIMEOUT_MS));
    const value: unknown = JSON.parse(new TextDecoder().decode(await answer.bytes(MOST_BYTES)));
    const { access_token: token, expires_in: seconds } = isObject(value) ? value : {};
    if (answer.status === 200 && typeof token === 'string' && typeof seconds === 'number')
      return { token, untilMs: Date.now() + seconds * 1000 - EARLY_MS };
  } catch (cause) {
    throw new DomainError(
      'unavailable',
      `No Google account: the metadata server is unreachable or sent no JSON. ${remedy}`,
      {
        cause,
      },
    );
  }
  throw new DomainError('unavailable', `No Google account: the metadata server gave no token. ${remedy}`);
}
