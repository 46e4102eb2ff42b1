import { DomainError } from '@headwater/core';
import { wireName } from './names.ts';
import { fill, paths } from './paths.ts';
import { placeWords } from './places.ts';
import type { Words } from './words.ts';

type Sentence = (text: (detail: string) => string) => string;

// Beginnings of messages, which existing clients know.
const NO_DATA = 'Data not found for the given mws_id';
const NO_PLACE_DATA = 'Data not found for this state, district, tehsil';

const noTable: Sentence = (text) => `${NO_PLACE_DATA}: no table of ${text('tehsil')} is published; ${madeBy(text)}.`;

const SENTENCES = {
  run: (text) => `No run ${JSON.stringify(text('id'))} of yours exists; GET ${paths.runs} lists them.`,
  task: (text) => `Task not found: ${text('id')}`,
  result: (text) =>
    `Task not found: ${text('id')} has ended and its result was removed; POST ${paths.exportAsset} computes it again.`,
  region: (text) => `Region not found: ${text('id')}; GET ${paths.regions} lists the existing ones.`,
  job: (text) => `Job not found: ${text('id')}; use the id that POST ${paths.jobs} returned.`,
  item: (text) => `Item not found: ${text('id')}${notYet(text)}`,
  asset: (text) =>
    `Item ${text('id')} has no asset ${JSON.stringify(text('asset'))}; the member "assets" of the Item lists the existing ones.`,
  collection: (text) =>
    `${capital(wireName(text('level')))} collection not found: ${text('name')}${isRegion(text('name')) ? GONE : notYet(text)}`,
  scope: (text) => `Catalog not found at requested scope${notYet(text)}`,
  file: (text) =>
    `File not found: ${text('key')}. The file was replaced or removed, or the address is wrong; copy the present address from its Item.`,
  collectionId: (text) => {
    const why = notYet(text);
    return `Collection not found: ${text('id')}; GET ${paths.stacCollections} lists the existing ones${why === '' ? '.' : why}`;
  },
  table: (text) =>
    `Table not found: ${text('name')}; GET ${text('list')} lists the existing ones${text('routes') === '' ? '' : `, and POST ${text('routes')} computes it`}.`,
  user: (text) => `User not found: ${text('id')}; GET ${paths.users} lists the users that you may see.`,
  eoAccount: (text) =>
    `Earth-observation account not found: ${text('id')}; GET ${paths.eoAccounts} lists the accounts that you may use.`,
  eoExport: (text) => `No failed export has the id ${text('id')}; only a failed export can be retried.`,
  unit: (text) => `${capital(text('level'))} with id ${text('id')} not found`,
  organization: () => 'Organization not found.',
  group: () => 'Group not found.',
  project: (text) => `Project not found: ${text('id')}; GET ${paths.projects} lists the projects that you may see.`,
  member: (text) => `The project has no user with id ${text('id')}; the list of users of the project has their ids.`,
  passwordLink: () =>
    `This link is no longer valid: it was used, is older than three days, or the password or e-mail address has changed since. POST ${paths.forgotPassword} sends another one.`,
  apiKey: () => 'API key not found',
  layer: (text) => {
    const type = text('layerType') === 'raster' ? 'coverage' : 'feature type';
    return `Could not find ${type} ${text('name')} in workspace ${text('workspace')}`;
  },
  earthEngineTask: (text) =>
    `Task not found: ${text('id')}. This service knows only its own tasks: send the task_id of a computing request, which is the id of its run. GET ${paths.runs} lists your runs.`,
  publishedLayer: (text) =>
    `Layer ${text('name')} is not published; GET ${paths.workspaceLayers} lists the layers of a workspace.`,
  workspace: (text) =>
    `The map server has no workspace ${JSON.stringify(text('name'))}; POST ${paths.createWorkspace} creates it.`,
  tehsilAt: () => 'Latitude and longitude is not in SOI boundary.',
  tehsilAtSwapped: (text) =>
    `Latitude and longitude is not in SOI boundary. ${text('tehsil')} is at latitude ${text('longitude')}, longitude ${text('latitude')}: the two seem to be swapped.`,
  mwsLayer: (text) => `Mws Layer is not generated for the given lat lon location. ${imports('mws', text('tehsil'))}`,
  mwsOutlines: (text) => `Mws Layer not found for the given location. ${imports('mws', text('tehsil'))}`,
  mwsAt: () => 'No MWS feature found for the given lat lon location.',
  villages: (text) => `No village boundaries of ${text('tehsil')} are imported. ${imports('villages', text('tehsil'))}`,
  mwsBoundaries: (text) =>
    `No features found in layer: no micro-watersheds of ${text('tehsil')} are imported. ${imports('mws', text('tehsil'))}`,
  sheets: noTable,
  tables: noTable,
  mws: (text) =>
    `${NO_DATA}: ${text('tehsil')} has no micro-watershed ${text('uid')}; GET ${paths.mwsGeometries} lists them.`,
  noMws: (text) =>
    `${NO_DATA}: no micro-watersheds of ${text('tehsil')} are imported. ${imports('mws', text('tehsil'))}`,
  mwsData: (text) => `${NO_DATA}: ${text('uid')} is known, but no time series of it is published; ${madeBy(text)}.`,
  kyl: (text) => `${NO_DATA}: ${text('uid')} is known, but no table with its indicators is published; ${madeBy(text)}.`,
  guide: () =>
    `The documentation is not built here. In a checkout, "npm run docs" builds it; reload this page afterwards. GET ${paths.docs} describes every route.`,
  path: (text) =>
    `Not found: ${text('path')}${text('list') === '' ? '.' : `; GET ${text('list')} lists all addresses.`}`,
} as const satisfies Readonly<Record<string, Sentence>>;

const GONE = '. This region was removed, or never computed.';
const isRegion = (name: string): boolean => /^region_[0-9a-f]{16}$/.test(name);

function notYet(text: (detail: string) => string): string {
  const [place, routes] = [text('place'), text('routes')];
  if (place === '') return '';
  const remedy = routes === '' ? '' : `. To compute it, send POST ${routes}`;
  return `. ${place} is a known place; nothing has been computed for it yet${remedy}.`;
}

function imports(kind: 'mws' | 'villages', tehsil: string): string {
  return `A superuser can import the missing boundaries of ${tehsil}: POST ${fill(paths.importFile, { kind })}.`;
}

function madeBy(text: (detail: string) => string): string {
  const routes = text('routes');
  return `${routes === '' ? '' : `POST ${routes} computes it, or `}an import can add it`;
}

/** Kinds of absent things, except places. */
export type AbsentKind = keyof typeof SENTENCES;

/** Error `not_found` for a thing of this kind, with the `details` that identify the thing. */
export function absent(kind: AbsentKind, details: Readonly<Record<string, string>>): DomainError {
  const name = Object.values(details).join(' ');
  return new DomainError('not_found', `There is no ${kind} ${name}.`, { details: { kind, ...details } });
}

/** Text of a 404; undefined for kinds that are neither in `SENTENCES` nor `place`. */
export function absentWords(error: DomainError): Words | undefined {
  const { kind } = error.details;
  if (kind === 'place') return placeWords(error);
  if (!isAbsentKind(kind)) return undefined;
  const text = (detail: string): string => {
    const value = error.details[detail];
    return typeof value === 'string' ? value : '';
  };
  const message = SENTENCES[kind](text);
  // Clients of `get_tehsil_data/` read the member `Message`.
  return { message, members: kind === 'sheets' ? { Message: message } : {} };
}

function isAbsentKind(kind: unknown): kind is AbsentKind {
  return typeof kind === 'string' && Object.hasOwn(SENTENCES, kind);
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
