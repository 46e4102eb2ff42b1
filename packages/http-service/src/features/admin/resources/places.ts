import { DomainError } from '@headwater/core';
import { isNeeded, type PlaceNeeds, placeNeeds, placeSlug } from '@headwater/core/places';
import type { ListedUnit, UnitId } from '@headwater/core/ports';
import { collectionPath } from '@headwater/stac';
import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import { type Html, pageLinks } from '../../../pages/layout.ts';
import { joinedTexts, localText } from '../../../pages/texts.ts';
import type {
  AdminAction,
  AdminCaller,
  AdminChoice,
  AdminDetail,
  AdminField,
  AdminResource,
  AdminRow,
  AdminTexts,
  AdminValue,
  LocalText,
} from '../../../seam/admin-resource.ts';
import { absent } from '../../../wire/absent.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { sentences } from '../../../wire/sentences.ts';
import { mapPart } from '../../reports/page/outline-map.ts';
import { unitsBelow } from './units-below.ts';

type Deps = Ports<'baseUrl' | 'outlines' | 'stores'>;

const LEVELS: Readonly<Record<UnitId['level'], LocalText>> = {
  state: localText('aState'),
  district: localText('district'),
  tehsil: localText('tehsil'),
};
const LABELS = {
  name: localText('name'),
  level: localText('level'),
  active: localText('active'),
  tehsils: localText('tehsils'),
  mws: localText('microWatersheds'),
  villages: localText('villages'),
  layers: localText('publishedLayers'),
  source: localText('source'),
  page: localText('publicPage'),
  states: localText('states'),
  districts: localText('districts'),
  kind: localText('kindOfTheFile'),
  stored: localText('stored'),
  unchanged: localText('unchanged'),
  removed: localText('removed'),
  tables: localText('tablesAndTheirRuns'),
  id: localText('id'),
} as const satisfies Readonly<Record<string, LocalText>>;
const YES_NO: readonly AdminChoice[] = [
  { value: 'yes', label: localText('yes') },
  { value: 'no', label: localText('no') },
];
const IMPORTED: LocalText = localText('importedByUploadOrCommand');
const FROM_FOLDER: LocalText = localText('folderOfTheService');

const FIELDS: readonly AdminField[] = [
  { name: 'name', label: LABELS.name },
  {
    name: 'level',
    label: LABELS.level,
    kind: 'select',
    choices: Object.entries(LEVELS).map(([value, label]) => ({ value, label })),
  },
  { name: 'state', label: LEVELS.state },
  { name: 'district', label: LEVELS.district },
  { name: 'active', label: LABELS.active, kind: 'select', choices: YES_NO },
  { name: 'states', label: LABELS.states },
  { name: 'districts', label: LABELS.districts },
  { name: 'tehsils', label: LABELS.tehsils },
  { name: 'mws', label: LABELS.mws },
  { name: 'villages', label: LABELS.villages },
  { name: 'layers', label: LABELS.layers },
  { name: 'kind', label: LABELS.kind },
  { name: 'stored', label: LABELS.stored },
  { name: 'unchanged', label: LABELS.unchanged },
  { name: 'removed', label: LABELS.removed },
];

/** Numbers of places by level, as texts of the audit log. */
export async function placeCounts({ lookups }: Pick<Deps['stores'], 'lookups'>): Promise<AdminTexts> {
  const levels = ['state', 'district', 'tehsil'] as const;
  const counts = await Promise.all(
    levels.map(async (level) => (await lookups.listUnits({ level, limit: 0, offset: 0 })).total),
  );
  return Object.fromEntries(levels.map((level, index) => [`${level}s`, String(counts[index])]));
}

function textsOf({ level, name, isActive, state, district, tehsils, ...counts }: ListedUnit): AdminTexts {
  const texts = {
    name,
    level,
    state: state.name,
    district: district?.name,
    active: isActive ? 'yes' : 'no',
    tehsils,
    mws: counts.mws,
    villages: counts.villages,
    layers: counts.layers,
  };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]) =>
      value === null || value === undefined ? [] : [[key, String(value)]],
    ),
  );
}

/** Units of the place directory. The id of a row is a level and a number, such as `tehsil-12`. */
export function placesResource(deps: Deps): AdminResource {
  const { lookups } = deps.stores;
  return {
    name: 'places',
    title: localText('places'),
    one: localText('adminPlace'),
    section: 'data',
    lead: localText('statesWithTheirDistrictsAnd'),
    columns: [
      { name: 'name', label: LABELS.name, isSortable: true },
      { name: 'level', label: LABELS.level },
      { name: 'state', label: LEVELS.state },
      { name: 'district', label: LEVELS.district },
      { name: 'active', label: LABELS.active },
      { name: 'tehsils', label: LABELS.tehsils },
      { name: 'mws', label: LABELS.mws },
      { name: 'villages', label: LABELS.villages },
      { name: 'layers', label: LABELS.layers },
    ],
    filters: [
      {
        name: 'level',
        label: LABELS.level,
        choices: Object.entries(LEVELS).map(([value, label]) => ({ value, label })),
      },
      { name: 'active', label: LABELS.active, choices: YES_NO },
    ],
    search: localText('searchByTheNamesOf'),
    list: async ({ search, filters, sort, limit, offset }, { language }) => {
      const { level, active } = filters;
      // A search without any character of a slug, such as `%`, matches nothing.
      const slug = placeSlug(search);
      if (slug === '' && search !== '') return { rows: [], total: 0 };
      const { units, total } = await lookups.listUnits({
        slug,
        ...(isLevel(level) && { level }),
        ...(active !== undefined && { isActive: active === 'yes' }),
        ...(sort !== undefined && { order: 'name', isDescending: sort.isDescending }),
        limit,
        offset,
      });
      return { rows: units.map((unit) => rowOf(unit, language)), total };
    },
    count: async () => (await lookups.listUnits({ limit: 0, offset: 0 })).total,
    listParts: async (caller) => [importLink(caller)],
    find: (id, caller) => detailOf(deps, id, caller),
    fields: FIELDS,
    actions: [activation(deps, true), activation(deps, false), removal(deps)],
  };
}

function isLevel(level: string | undefined): level is UnitId['level'] {
  return level !== undefined && Object.hasOwn(LEVELS, level);
}

function unitOf(id: string): UnitId | undefined {
  const [, level, number] = /^(state|district|tehsil)-([1-9]\d{0,9})$/.exec(id) ?? [];
  return isLevel(level) ? { level, id: Number(number) } : undefined;
}

async function found({ stores }: Deps, id: string): Promise<ListedUnit | undefined> {
  const unit = unitOf(id);
  return unit && (await stores.lookups.listUnits({ unit, limit: 1, offset: 0 })).units[0];
}

function importLink({ language, prefix }: AdminCaller): Html {
  return html`<p><a class="button" href="${prefix}${paths.adminImport}">${localText('importAFile')[language]}</a></p>`;
}

function listOf(names: readonly string[], text: string): AdminValue {
  return { text, href: `${fill(paths.adminList, { resource: 'places' })}?q=${encodeURIComponent(names.join(' '))}` };
}

function activity(isActive: boolean, language: AdminCaller['language']): AdminValue {
  const choice = YES_NO[isActive ? 0 : 1];
  return { text: choice?.label[language] ?? '', tone: isActive ? 'ok' : 'off' };
}

function rowOf(unit: ListedUnit, language: AdminCaller['language']): AdminRow {
  const { level, id, name, isActive, state, district, tehsils, mws, villages, layers } = unit;
  return {
    id: `${level}-${id}`,
    values: {
      name,
      level: LEVELS[level][language] ?? LEVELS[level].en,
      state: listOf([state.name], state.name),
      district: district && listOf([state.name, district.name], district.name),
      active: activity(isActive, language),
      tehsils,
      mws,
      villages,
      layers,
    },
  };
}

async function detailOf(deps: Deps, id: string, caller: AdminCaller): Promise<AdminDetail | undefined> {
  const { language } = caller;
  const unit = await found(deps, id);
  if (unit === undefined) return undefined;
  const { level, name, state, district, tehsils } = unit;
  const row = rowOf(unit, language).values;
  const facts: (readonly [LocalText, AdminValue])[] = [
    [LABELS.id, unit.id],
    [LABELS.level, row['level'] ?? null],
    [LEVELS.state, level === 'state' ? name : (row['state'] ?? null)],
    ...(district === null ? [] : ([[LEVELS.district, row['district'] ?? null]] as const)),
    [LABELS.active, row['active'] ?? null],
  ];
  const shared = { title: name, texts: textsOf(unit) };
  if (level !== 'tehsil' || district === null) {
    const names = level === 'state' ? [state.name] : [state.name, name];
    return {
      ...shared,
      facts: [...facts, [LABELS.tehsils, listOf(names, String(tehsils))]],
      parts: [html`${await unitsBelow(deps, unit, caller)}`],
      consequences: [hiddenBelow(level, tehsils ?? 0)],
    };
  }
  const names = { tehsilId: unit.id, state: state.name, district: district.name, tehsil: name };
  const [needs, parts] = await Promise.all([placeNeeds(names, deps.stores), tehsilParts(deps, unit, language)]);
  const { below } = pageLinks(deps.baseUrl);
  const collection = createAddresses(deps.baseUrl).collection(collectionPath(state.name, district.name, name));
  return {
    ...shared,
    facts: [
      ...facts,
      [LABELS.mws, unit.mws],
      [LABELS.villages, unit.villages],
      [LABELS.layers, unit.layers],
      [LABELS.source, (unit.isImported ? IMPORTED : FROM_FOLDER)[language] ?? ''],
      [LABELS.page, needs.hasItems ? { text: collection, href: below(collection) ?? '' } : null],
    ],
    parts,
    consequences: tehsilConsequences(unit, needs),
  };
}

function hiddenBelow(level: UnitId['level'], tehsils: number): LocalText {
  return localText(level === 'state' ? 'stateIsHidden' : 'districtIsHidden', { tehsils });
}

function tehsilConsequences(unit: ListedUnit, needs: PlaceNeeds): readonly LocalText[] {
  const { mws, villages, isImported } = unit;
  const reason = refusalOf(needs);
  return [
    localText('readersOfPublicDataNo'),
    localText('aRemovalAlsoRemovesIts', { mws: mws ?? 0, villages: villages ?? 0 }),
    ...(reason === undefined ? [] : [reason]),
    ...(isImported ? [] : [localText('itsFileIsInThe')]),
  ];
}

function refusalOf(needs: PlaceNeeds): LocalText | undefined {
  if (!isNeeded(needs)) return undefined;
  const { layers, hasData, hasItems, hasOpenRuns } = needs;
  const reasons = [
    ...(layers > 0 ? [localText('layersOfPlace', { layers })] : []),
    ...(hasData ? [localText('tablesOrSeries')] : []),
    ...(hasItems ? [localText('itemsOfPlace')] : []),
    ...(hasOpenRuns ? [localText('openRuns')] : []),
  ];
  return localText('placeIsNeeded', { reasons: joinedTexts(reasons) });
}

async function tehsilParts(
  { baseUrl, outlines, stores }: Deps,
  { id, name, state, district }: ListedUnit,
  language: AdminCaller['language'],
): Promise<readonly Html[]> {
  const [drawn, layers, tables] = await Promise.all([
    outlines.of(id),
    stores.catalog.layersOf(id),
    stores.data.tableVersionsOf(id),
  ]);
  const caption = `${name} (${district?.name ?? ''}, ${state.name})`;
  const path = collectionPath(state.name, district?.name ?? '', name);
  const addresses = createAddresses(baseUrl);
  const { prefix, here } = pageLinks(baseUrl);
  return [
    mapPart(drawn, { label: caption, caption, language }),
    listPart(
      LABELS.layers[language],
      layers.map(({ workspace, layerName, itemId }) => ({
        text: `${workspace}:${layerName}`,
        href: here(addresses.item(path, itemId)) ?? '',
      })),
    ),
    listPart(
      LABELS.tables[language],
      tables.map(({ name: table, runId }) => ({ text: table, href: prefix + fill(paths.run, { id: runId }) })),
    ),
  ];
}

function listPart(title: string, links: readonly { readonly text: string; readonly href: string }[]): Html {
  return links.length === 0
    ? html``
    : html`<h2>${title}</h2>
        <ul class="plain">
          ${links.map(({ text, href }) => html`<li><a href="${href}">${text}</a></li> `)}
        </ul>`;
}

function activation(deps: Deps, isActive: boolean): AdminAction {
  return {
    name: isActive ? 'activate' : 'deactivate',
    label: isActive ? localText('activate') : localText('deactivate'),
    isDangerous: !isActive,
    isBulk: true,
    isOffered: ({ texts }) => texts['active'] === (isActive ? 'no' : 'yes'),
    run: async (id) => {
      const unit = unitOf(id);
      if (unit === undefined) throw absent('unit', { level: 'place', id });
      const outcome = await deps.stores.places.setActive(unit, isActive);
      if (outcome === 'unknown') throw absent('unit', { level: unit.level, id: String(unit.id) });
      if (outcome === 'inactive_above')
        throw new DomainError('conflict', sentences.inactiveAbove(unit.level === 'district' ? 'district' : 'block'));
      return {};
    },
  };
}

function removal(deps: Deps): AdminAction {
  return {
    name: 'remove',
    label: localText('remove'),
    isDangerous: true,
    isOffered: ({ texts }) => texts['level'] === 'tehsil',
    run: async (id) => {
      const unit = await found(deps, id);
      if (unit === undefined || unit.level !== 'tehsil' || unit.district === null)
        throw absent('unit', { level: 'tehsil', id });
      const names = { tehsilId: unit.id, state: unit.state.name, district: unit.district.name, tehsil: unit.name };
      const reason = refusalOf(await placeNeeds(names, deps.stores));
      if (reason !== undefined) return { notice: reason, isFailure: true };
      // `unlessUsed` checks again, because a run may have begun or published since `placeNeeds` was read.
      await deps.stores.places.removeTehsil(unit.id, { unlessUsed: true });
      return {};
    },
  };
}
