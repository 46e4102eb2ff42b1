import { DomainError, publicAddress } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { Network, type NetworkOptions, transientFailure } from '@headwater/net';
import { isGood, JSON_HEADERS, wellFormed } from '../scenes/json-response.ts';
import type { RawRecord } from './dump-records.ts';
import { layerRecords, type LivePlace, placeRecords } from './rest-layers.ts';

/** Live system with REST routes. */
export interface LiveSystem {
  /** Address, such as `https://live.example.org`. It may be in a private network. */
  readonly url: string;
  /** Access token of an administrator; without it, no accounts are read. */
  readonly token: string | undefined;
  /** API key; without it, no places and layers are read. */
  readonly apiKey: string | undefined;
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools' | 'onWait'>;
  readonly signal: AbortSignal;
}

type ReadLive = (path: string, by: 'token' | 'apiKey' | 'nothing') => Promise<unknown>;

/** Lists that every live system has. If one of them is missing, the address is wrong. Other lists may be missing. */
const ALWAYS = new Set(['users/', 'groups/', 'get_active_locations/']);

/**
 * Reads a live system: accounts with the token, places and layers with the API key. Throws `input_data` for a refused
 * request or a response that is not JSON, `unavailable` without a response.
 */
export async function* restRecords(live: LiveSystem): AsyncGenerator<RawRecord> {
  const read = reader(live);
  if (live.token !== undefined) yield* accountRecords(read);
  if (live.apiKey === undefined) return;
  const places = livePlaces(await read('get_active_locations/', 'apiKey'));
  const layers: (readonly [LivePlace, readonly RawRecord[]])[] = [];
  for (const place of places) {
    const { state, district, tehsil } = place;
    const query = new URLSearchParams({ state, district, tehsil }).toString();
    layers.push([place, objects(await read(`get_generated_layer_urls/?${query}`, 'apiKey'))]);
  }
  yield* placeRecords(layers);
  yield* layerRecords(layers);
}

function reader({ url, token, apiKey, network: options = {}, signal }: LiveSystem): ReadLive {
  const { origin } = new URL(url);
  const allowedOrigins = [...(options.settings?.allowedOrigins ?? []), origin];
  const network = new Network({ ...options, settings: { patienceMs: 300_000, ...options.settings, allowedOrigins } });
  const base = `${url.replace(/\/+$/, '')}/api/v1/`;
  return async (path, by) => {
    const href = `${base}${path}`;
    const shown = publicAddress(href);
    const credentials = {
      ...(by === 'token' && { authorization: `Bearer ${token ?? ''}` }),
      ...(by === 'apiKey' && { secretHeaders: { 'x-api-key': apiKey ?? '' } }),
    };
    const ask = async (until: AbortSignal) => {
      const answer = await network.send({ href, headers: JSON_HEADERS, ...credentials }, until);
      if (answer.status === 404 && !ALWAYS.has(path)) {
        answer.discard();
        return undefined;
      }
      if (isGood(answer)) return await wellFormed(answer);
      const failure = transientFailure(answer, network.tools.now());
      if (failure === undefined) throw refused(shown, answer.status, answer.status === 404 ? 'nothing' : by);
      return failure;
    };
    return await network.request<unknown>({ shown, signal, ask });
  };
}

function refused(shown: string, status: number, by: 'token' | 'apiKey' | 'nothing'): DomainError {
  const remedy = {
    token: 'give a valid access token of an administrator; the present one may have expired',
    apiKey: 'give a valid API key',
    nothing: 'check the address',
  }[by];
  return new DomainError('input_data', `${shown}: the live system responded with HTTP ${status}; ${remedy}`);
}

const objects = (value: unknown): readonly RawRecord[] => (Array.isArray(value) ? value.filter(isObject) : []);

async function* accountRecords(read: ReadLive): AsyncGenerator<RawRecord> {
  const users = objects(await read('users/', 'token'));
  const listed = objects(await read('auth/register/available_organizations/', 'nothing'));
  const named = users.flatMap(({ organization: id, organization_name: name }) =>
    name === undefined ? [] : [{ id, name }],
  );
  const organizations = new Map([...named, ...listed].map(({ id, name }) => [id, name]));
  for (const [id, name] of organizations) if (typeof id === 'string') yield { type: 'organization', id, name };
  for (const { id, name } of objects(await read('groups/', 'token'))) yield { type: 'group', id, name };
  for (const user of users) yield userRecord(user);
  yield* projectRecords(users, read);
  const accounts = await read('geeaccounts/', 'token');
  for (const [email, list] of Object.entries(isObject(accounts) ? accounts : {})) {
    const account = { account_email: email === 'no_account_email' ? null : email, is_visible: true };
    for (const { id, name } of objects(list)) yield { type: 'eo_account', id, name, ...account };
  }
}

const SAME = [
  'id',
  'username',
  'email',
  'first_name',
  'last_name',
  'contact_number',
  'is_active',
  'is_superadmin',
  'organization',
  'age',
  'education_qualification',
  'gender',
  'account_type',
] as const;

/** Record of a user. REST returns no password, so the user must set a new one. */
function userRecord(user: RawRecord): RawRecord {
  const same = SAME.flatMap((name) => (user[name] === undefined ? [] : [[name, user[name]] as const]));
  const groups = objects(user['groups']).map(({ id }) => id);
  return { type: 'user', ...Object.fromEntries(same), password: '!', groups };
}

/**
 * Yields the records of projects. REST does not return the organization of a project. If all users of a project have
 * the same organization, the project gets this organization.
 */
async function* projectRecords(users: readonly RawRecord[], read: ReadLive): AsyncGenerator<RawRecord> {
  const projects = new Map<unknown, { readonly name: unknown; readonly organizations: Set<unknown> }>();
  for (const user of users) {
    for (const { project_id: id, project_name: name } of objects(user['project_details'])) {
      const project = projects.get(id) ?? { name, organizations: new Set() };
      projects.set(id, project);
      project.organizations.add(user['organization']);
    }
  }
  for (const [id, { name, organizations }] of projects) {
    const [organization = null, ...others] = organizations;
    const members = objects(await read(`projects/${String(id)}/users/`, 'token')).map(
      ({ user_id: user, group_id: group }) => ({ user, group }),
    );
    yield { type: 'project', id, name, organization: others.length === 0 ? organization : null, members };
  }
}

function livePlaces(answer: unknown): readonly LivePlace[] {
  return objects(answer).flatMap(({ label: state, district: districts }) =>
    objects(districts).flatMap(({ label: district, blocks }) =>
      objects(blocks).map(({ label: tehsil, tehsil_id: id }) => {
        return { id: Number(id), state: String(state), district: String(district), tehsil: String(tehsil) };
      }),
    ),
  );
}
