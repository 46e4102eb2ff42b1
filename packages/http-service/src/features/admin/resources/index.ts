import type { AdminParts, ServiceDeps } from '../../../deps.ts';
import type { SettledOptions } from '../../../headwater-options.ts';
import type { AdminResource } from '../../../seam/admin-resource.ts';
import { apiKeyResource } from './api-keys.ts';
import { auditResource } from './audit.ts';
import { placesResource } from './places.ts';
import { regionsResource } from './regions.ts';
import { datasetsResource } from './datasets.ts';
import { eoAccountsResource } from './eo-accounts.ts';
import { eoExportsResource } from './eo-exports.ts';
import { groupResource } from './groups.ts';
import { joinRequestResource } from './join-requests.ts';
import { organizationResource } from './organizations.ts';
import { projectResource } from './projects.ts';
import { sessionResource } from './sessions.ts';
import { layersResource, tablesResource } from './layers.ts';
import { runsResource } from './runs.ts';
import { systemResource } from './system.ts';
import { usersResource } from './users.ts';

/** The resources of the admin without the audit log, in the order of the first page. */
export function adminResources(deps: AdminParts, options: SettledOptions): readonly AdminResource[] {
  const runs = runsResource(deps);
  return [
    usersResource(deps),
    apiKeyResource(deps),
    sessionResource(deps),
    organizationResource(deps),
    joinRequestResource(deps),
    groupResource(deps),
    projectResource(deps),
    placesResource(deps),
    regionsResource(deps),
    layersResource(deps),
    tablesResource(deps),
    datasetsResource(deps),
    eoAccountsResource(deps, options.eoCredentials),
    ...(deps.eoExporter === undefined ? [] : [eoExportsResource(deps)]),
    runs,
    systemResource(deps, options, runs.listParts),
  ];
}

/** Names of the admin's own fields, which no resource may use. */
const RESERVED_FIELDS: ReadonlySet<string> = new Set([
  'token',
  'was',
  'confirmed',
  'action',
  'lang',
  'list',
  'done',
  'q',
  'sort',
  'page',
]);

/** Ports with the resources of the admin and of the embedder. Throws one error with all problems of the resources. */
export function withAdmin(options: SettledOptions, parts: AdminParts): ServiceDeps {
  if (parts.screens.kind === 'off') return { ...parts, admin: [] };
  const others = [...adminResources(parts, options), ...(options.adminResources?.(parts) ?? [])];
  const admin = [...others, auditResource(parts, others)];
  const problems = [...admin.flatMap(resourceProblems), ...twice('resource', admin)];
  if (problems.length > 0) throw new Error(`adminResources: ${problems.join('; ')}`);
  return { ...parts, admin };
}

function resourceProblems({ name, fields = [], add, actions = [], filters = [], columns }: AdminResource): string[] {
  const forms = [fields, add?.fields ?? [], ...actions.map((action) => action.fields ?? [])];
  const names = forms.flat().map((field) => field.name);
  return [
    ...(/^[a-z][a-z0-9-]*$/.test(name) && name !== 'login'
      ? []
      : ['its name must be lower-case letters, digits and hyphens, a letter first, and not login']),
    ...(columns.length === 0 ? ['it has no columns; name at least one'] : []),
    ...names
      .filter((each) => !/^[A-Za-z]\w*$/.test(each) || RESERVED_FIELDS.has(each))
      .map(
        (each) =>
          `field ${each}: use letters, digits and _, a letter first, and no name that the admin uses, such as token`,
      ),
    ...filters
      .filter((each) => !/^\w+$/.test(each.name))
      .map((each) => `filter ${each.name}: use letters, digits and _`),
    ...actions
      .filter((each) => !/^[a-z][\w-]*$/.test(each.name) || /^(?:add|change)$/.test(each.name))
      .map(
        (each) =>
          `action ${each.name}: use letters, digits, _ and -, a lower-case letter first, and neither add nor change`,
      ),
    ...forms.flatMap((form) => twice('field', form)),
    ...twice('action', actions),
  ].map((problem) => `${name}: ${problem}`);
}

function twice(kind: 'resource' | 'field' | 'action', all: readonly { readonly name: string }[]): string[] {
  const names = all.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `${kind} ${name} exists twice; rename one`,
  );
}
