import type { BackendParts } from '@headwater/core/runs';
import type { Execute } from '../service/execute.ts';
import { BASE_TOKEN } from '../wire/addresses.ts';

/** What a service answers to its own addresses, asked without the network: behind a proxy its public address may not lead back to it. */
export function ownAnswers(baseUrl: string, execute: () => Execute): BackendParts['statusOf'] {
  return async (address) => {
    const base = [baseUrl, BASE_TOKEN].find((each) => address.startsWith(`${each}/`));
    if (base === undefined) return undefined;
    const { status, body } = await execute()({
      method: 'HEAD',
      url: address.slice(base.length),
      headers: {},
      body: { kind: 'none' },
      remoteAddress: undefined,
      signal: new AbortController().signal,
    });
    if (body instanceof ReadableStream) await body.cancel();
    return status;
  };
}
