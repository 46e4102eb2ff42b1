import { beforeAll, expect } from 'vitest';
import { publishSearchWorld } from '../fixture/search-world.ts';
import type { HttpTarget } from '../targets/target.ts';
import { type Harness, jsonInit, useHarness } from './harness.ts';

/** Path of the STAC API. */
export const STAC_API = '/api/v1/stac-api/';
/** Base URL in the documents of the sample. The client replaces this URL by the address of the host. */
export const BASE = 'http://headwater.example';

/** A link of a document. */
export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly method?: string;
  readonly merge?: boolean;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A page of Items. */
export interface ItemsPage {
  readonly type: string;
  readonly features: readonly (Readonly<Record<string, unknown>> & {
    readonly id: string;
    readonly collection: string;
  })[];
  readonly links: readonly Link[];
  readonly numberMatched?: number;
  readonly numberReturned: number;
}

/** Client of the STAC API. */
export interface StacClient {
  readonly harness: () => Harness;
  /** Sends a request. `path` is relative to the landing page, or an absolute URL. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** JSON of a response with status 200. */
  readonly read: <T>(path: string, init?: RequestInit) => Promise<T>;
  readonly search: (query: Readonly<Record<string, string>>) => Promise<ItemsPage>;
  readonly post: (body: unknown) => Promise<ItemsPage>;
  /** Searches with `query`. Expects a 400 that names the parameter `name`, and returns the error's description. */
  readonly refused: (name: string, query: Readonly<Record<string, string>>) => Promise<string>;
  /** Searches with `body`. Expects a 400 that names the member `name`, and returns the error's description. */
  readonly refusedBody: (name: string, body: unknown) => Promise<string>;
  /** Follows `next` links. Returns the ids of Items, in a list per page. */
  readonly follow: (page: ItemsPage) => Promise<readonly (readonly string[])[]>;
}

/** Starts a harness with additional Items for searches. */
export function useStacClient(target: HttpTarget): StacClient {
  const harness = useHarness(target);
  beforeAll(async () => {
    await publishSearchWorld(harness().service);
  });
  const send: StacClient['send'] = async (path, init) =>
    await harness().get(path.startsWith('http') ? path.replace(BASE, '') : STAC_API + path, init);
  const read = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const answer = await send(path, init);
    const text = await answer.text();
    expect({ status: answer.status, text: answer.status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
    const body: T = JSON.parse(text);
    return body;
  };
  const search: StacClient['search'] = (query) => read(`search?${new URLSearchParams(query).toString()}`);
  const post: StacClient['post'] = (body) => read('search', jsonInit(body));
  const expectRefusal = async (name: string, answer: Response): Promise<string> => {
    const body: unknown = await answer.json();
    expect({ status: answer.status, body }).toMatchObject({ status: 400, body: { code: 'validation' } });
    // The error names a list member by index: `sortby.0`.
    const named = Object.keys(Object(Reflect.get(Object(body), 'errors')) as object).map((each) => each.split('.')[0]);
    expect(new Set(named)).toEqual(new Set([name]));
    const description: unknown = Reflect.get(Object(body), 'description');
    expect(description).toEqual(expect.stringContaining(name));
    return String(description);
  };
  return {
    harness,
    send,
    read,
    search,
    post,
    refused: async (name, query) => expectRefusal(name, await send(`search?${new URLSearchParams(query).toString()}`)),
    refusedBody: async (name, body) => expectRefusal(name, await send('search', jsonInit(body))),
    follow: async (page) => {
      const pages: (readonly string[])[] = [];
      let present: ItemsPage | undefined = page;
      while (present !== undefined) {
        pages.push(present.features.map(({ id }) => id));
        const next: Link | undefined = present.links.find(({ rel }) => rel === 'next');
        if (next === undefined) return pages;
        present = next.method === 'POST' ? await read(next.href, jsonInit(next.body)) : await read(next.href);
      }
      return pages;
    },
  };
}

/** Href of a document's link. */
export function hrefOf({ links }: { readonly links: readonly Link[] }, rel: string): string {
  const found = links.find((link) => link.rel === rel);
  if (found === undefined) throw new Error(`no link ${rel}`);
  return found.href;
}
