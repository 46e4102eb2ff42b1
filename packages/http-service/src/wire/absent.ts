import { DomainError } from '@headwater/core';
import { wireName } from './names.ts';
import { paths } from './paths.ts';
import { placeWords } from './places.ts';
import type { Words } from './words.ts';

/** A sentence made of details, which come as text. */
type Sentence = (text: (detail: string) => string) => string;

/** As the live system begins, which says no more. */
const NO_DATA = 'Data not found for the given mws_id';

const SENTENCES = {
  run: (text) => `No run ${JSON.stringify(text('id'))} of yours exists; GET ${paths.runs} lists them.`,
  task: (text) => `Task not found: ${text('id')}`,
  job: (text) => `Job not found: ${text('id')}`,
  item: (text) => `Item not found: ${text('id')}`,
  asset: (text) => `Item ${text('id')} has no asset ${JSON.stringify(text('asset'))}`,
  collection: (text) => `${capital(wireName(text('level')))} collection not found: ${text('name')}${notYet(text)}`,
  scope: () => 'Catalog not found at requested scope',
  file: (text) => `File not found: ${text('key')}`,
  collectionId: (text) =>
    `Collection not found: ${text('id')}; GET ${paths.stacCollections} lists those that there are.`,
  table: (text) => `Table not found: ${text('name')}; GET ${text('list')} lists those that there are.`,
  user: (text) => `User not found: ${text('id')}`,
  eoAccount: (text) => `Earth-observation account not found: ${text('id')}`,
  unit: (text) => `${capital(text('level'))} with id ${text('id')} not found`,
  organization: () => 'Organization not found.',
  group: () => 'Group not found.',
  project: (text) => `Project not found: ${text('id')}`,
  member: (text) => `The project has no user under ${text('id')}.`,
  passwordLink: () =>
    `This link does not work: it was used, is older than three days, or the password was set or the e-mail address changed since. POST ${paths.forgotPassword} asks for another one.`,
  apiKey: () => 'API key not found',
  layer: (text) => {
    const type = text('layerType') === 'raster' ? 'coverage' : 'feature type';
    return `Could not find ${type} ${text('name')} in workspace ${text('workspace')}`;
  },
  tehsilAt: () => 'Latitude and longitude is not in SOI boundary.',
  tehsilAtSwapped: (text) =>
    `Latitude and longitude is not in SOI boundary. ${text('tehsil')} is at latitude ${text('longitude')}, longitude ${text('latitude')}: the two seem to be exchanged.`,
  mwsLayer: () => 'Mws Layer is not generated for the given lat lon location.',
  mwsOutlines: () => 'Mws Layer not found for the given location.',
  mwsAt: () => 'No MWS feature found for the given lat lon location.',
  villages: (text) => `No village boundaries of ${text('tehsil')} are imported.`,
  mwsBoundaries: (text) => `No features found in layer: no micro-watersheds of ${text('tehsil')} are imported.`,
  sheets: () => 'Data not found for this state, district, tehsil',
  mws: (text) =>
    `${NO_DATA}: ${text('tehsil')} has no micro-watershed ${text('uid')}; GET ${paths.mwsGeometries} tells those that it has.`,
  mwsData: (text) => `${NO_DATA}: ${text('uid')} is known, but no time series of it is published; ${madeBy(text)}.`,
  kyl: (text) =>
    `${NO_DATA}: ${text('uid')} is known, but no table that tells indicators of it is published; ${madeBy(text)}.`,
  path: (text) => `Not found: ${text('path')}; GET ${paths.docs} lists the addresses that there are.`,
} as const satisfies Readonly<Record<string, Sentence>>;

/** Of a place of the directory: that it is known and why there is nothing, and what makes it. */
function notYet(text: (detail: string) => string): string {
  const [place, routes] = [text('place'), text('routes')];
  if (place === '') return '';
  const remedy = routes === '' ? '' : `: POST ${routes} does`;
  return `. ${place} is known here; nothing of it has been computed yet${remedy}.`;
}

/** What makes data that are not there. */
function madeBy(text: (detail: string) => string): string {
  const routes = text('routes');
  return `${routes === '' ? '' : `POST ${routes} makes one, and `}an import may bring one`;
}

/** What may be absent, beside a place. */
export type AbsentKind = keyof typeof SENTENCES;

/** The `not_found` error of a thing of this kind that is not there; `details` name it. */
export function absent(kind: AbsentKind, details: Readonly<Record<string, string>>): DomainError {
  const name = Object.values(details).join(' ');
  return new DomainError('not_found', `There is no ${kind} ${name}.`, { details: { kind, ...details } });
}

/** What a 404 says, by the kind of thing that is absent. Undefined for kinds that are not ours. */
export function absentWords(error: DomainError): Words | undefined {
  const { kind } = error.details;
  if (kind === 'place') return placeWords(error);
  if (!isAbsentKind(kind)) return undefined;
  const text = (detail: string): string => {
    const value = error.details[detail];
    return typeof value === 'string' ? value : '';
  };
  const message = SENTENCES[kind](text);
  // Readers of sheets know this text by another member.
  return { message, members: kind === 'sheets' ? { Message: message } : {} };
}

function isAbsentKind(kind: unknown): kind is AbsentKind {
  return typeof kind === 'string' && Object.hasOwn(SENTENCES, kind);
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
