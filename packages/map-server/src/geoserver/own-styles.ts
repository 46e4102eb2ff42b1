import { DomainError } from '@headwater/core/errors';
import type { MapServerDrift, MapStyle } from '@headwater/core/ports';
import { readSld } from '../styles/sld.ts';
import type { OwnServer } from './ownership.ts';
import { alreadyExists, failed, member, type RestCall } from './rest-client.ts';

/** Workspace and name of a style. */
export interface StyleId {
  readonly workspace: string;
  readonly name: string;
}

const pathOf = ({ workspace, name }: StyleId): readonly string[] => ['workspaces', workspace, 'styles', name];

/**
 * File name of a style. It contains the id of the installation, because a style has no keywords that could name its
 * owner.
 */
const fileOf = ({ installation }: OwnServer, { name }: StyleId): string => `headwater_${installation}_${name}.sld`;

/** Owner of a style; `own` if this installation created it. */
export async function ownerOfStyle(server: OwnServer, style: StyleId): Promise<'absent' | 'own' | 'foreign'> {
  const found = await server.client.resource(pathOf(style));
  if (found === undefined) return 'absent';
  return member(found, 'style', 'filename') === fileOf(server, style) ? 'own' : 'foreign';
}

/** Returns true if the style exists. Throws `conflict` for a style of another program or installation. */
export async function refuseForeignStyle(server: OwnServer, style: StyleId): Promise<boolean> {
  const owner = await ownerOfStyle(server, style);
  if (owner !== 'foreign') return owner === 'own';
  const { workspace, name } = style;
  throw new DomainError(
    'conflict',
    `${workspace}:${name}: the map server has another style of this name, which this installation did not publish; remove or rename that style`,
  );
}

/** Creates or replaces a style of this installation: first its entry, then its document. */
export async function writeStyle(server: OwnServer, style: StyleId, sld: string): Promise<void> {
  const { client } = server;
  const path = pathOf(style);
  if (!(await refuseForeignStyle(server, style))) {
    const create: RestCall = {
      method: 'POST',
      path: path.slice(0, -1),
      json: { style: { name: style.name, filename: fileOf(server, style) } },
      isRepeatable: true,
    };
    const created = await client.call(create);
    if (created.status !== 201 && !alreadyExists(created)) throw failed(create, created);
    if (created.status !== 201) await refuseForeignStyle(server, style);
  }
  const put: RestCall = { method: 'PUT', path, body: { type: 'application/vnd.ogc.sld+xml', bytes: sld } };
  const answer = await client.call(put);
  if (answer.status !== 200) throw failed(put, answer);
}

/** Yields the common styles that the server lacks, has with other content, or has from another owner. */
export async function* styleDrift(
  server: OwnServer,
  styles: readonly MapStyle[],
  signal?: AbortSignal,
): AsyncGenerator<MapServerDrift> {
  for (const style of styles) {
    signal?.throwIfAborted();
    const { workspace, name } = style;
    const reason = await problemOfStyle(server, style);
    if (reason !== undefined)
      yield {
        workspace,
        layer: null,
        style: name,
        problem: 'style',
        message: `the style ${workspace}:${name} ${reason}`,
      };
  }
}

async function problemOfStyle(server: OwnServer, style: MapStyle): Promise<string | undefined> {
  const owner = await ownerOfStyle(server, style);
  if (owner === 'absent') return 'does not exist';
  if (owner === 'foreign') return 'belongs to another program or installation; remove or rename it';
  const path = [...pathOf(style).slice(0, -1), `${style.name}.sld`];
  const { status, text } = await server.client.call({ method: 'GET', path });
  return status === 200 && isSame(text, style.sld) ? undefined : 'differs from the published style';
}

function isSame(stored: string, own: string): boolean {
  try {
    return JSON.stringify(readSld(stored)) === JSON.stringify(readSld(own));
  } catch {
    return false;
  }
}
