import { type Headwater, type HeadwaterOptions, toFetchHandler } from '@headwater/http-service';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';

const BASE = 'http://headwater.example';

/** The sample service with its owner signed in, asked in process. */
export interface Asked {
  readonly headwater: Headwater;
  /** Answer to a GET, with the owner's token. */
  readonly get: (path: string) => Promise<Response>;
  /** The JSON of an answer with status 200; anything else fails the test. */
  readonly read: <T = Readonly<Record<string, unknown>>>(path: string) => Promise<T>;
  /** A computation of the sample tehsil that was waited for. */
  readonly compute: (year: number) => Promise<Published>;
}

/** What a computation answers, as much of it as tests look at. */
export interface Published {
  readonly run_id: string;
  readonly stac_items: readonly { readonly id: string }[];
}

/** Starts the sample service with its worker. */
export async function askSample(options: Partial<HeadwaterOptions> = {}): Promise<Asked> {
  const headwater = await createSampleService({ baseUrl: BASE, ...options });
  headwater.start();
  const handler = toFetchHandler(headwater.service);
  const send = (path: string, init: RequestInit): Promise<Response> => handler(new Request(BASE + path, init));
  const post = async <T>(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> => {
    const answer = await send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return await json<T>(path, answer);
  };
  const { access } = await post<{ access: string }>('/api/v1/auth/login/', SAMPLE_USERS.owner);
  const bearer = { authorization: `Bearer ${access}` };
  const place = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil', eo_account_id: 1 };
  return {
    headwater,
    get: (path) => send(path, { headers: bearer }),
    read: async (path) => await json(path, await send(path, { headers: bearer })),
    compute: async (year) =>
      await post('/api/v1/lulc_for_tehsil/', { ...place, start_year: year, end_year: year, wait: true }, bearer),
  };
}

async function json<T>(path: string, answer: Response): Promise<T> {
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
  const body: T = JSON.parse(text);
  return body;
}
