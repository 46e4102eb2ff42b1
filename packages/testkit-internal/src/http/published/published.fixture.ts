import { type Headwater, type HeadwaterOptions, toFetchHandler } from '@headwater/http-service';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import { jsonInit } from '../suite/harness.ts';

const BASE = 'http://headwater.example';

/** Client of the sample service in this process, signed in as the owner of the sample. */
export interface SampleClient {
  readonly headwater: Headwater;
  /** Sends a request with the owner's token. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** Returns the JSON of a response with status 200. Fails for another status. */
  readonly read: <T = Readonly<Record<string, unknown>>>(path: string) => Promise<T>;
  /** Computes the sample tehsil. */
  readonly compute: (year: number) => Promise<Published>;
}

/** Members of a computation's response. */
export interface Published {
  readonly run_id: string;
  readonly message: string;
  readonly stac_items: readonly { readonly id: string }[];
}

/** Starts the sample service and its worker. */
export async function startSample(options: Partial<HeadwaterOptions> = {}): Promise<SampleClient> {
  const headwater = await createSampleService({ baseUrl: BASE, ...options });
  await headwater.start();
  const handler = toFetchHandler(headwater.service);
  const signIn = await handler(new Request(`${BASE}/api/v1/auth/login/`, jsonInit(SAMPLE_USERS.owner)));
  const { access } = await json<{ access: string }>('login', signIn);
  const send: SampleClient['send'] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${access}`);
    return await handler(new Request(BASE + path, { ...init, headers }));
  };
  const place = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil', eo_account_id: 1 };
  const compute = async (year: number): Promise<Published> => {
    const body = { ...place, start_year: year, end_year: year, wait: true };
    return await json('lulc_for_tehsil', await send('/api/v1/lulc_for_tehsil/', jsonInit(body)));
  };
  return { headwater, send, read: async (path) => await json(path, await send(path)), compute };
}

async function json<T>(what: string, answer: Response): Promise<T> {
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${what} answered ${answer.status}: ${text}`);
  const body: T = JSON.parse(text);
  return body;
}
