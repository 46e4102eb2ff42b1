import type { AnyPipeline } from '@headwater/core';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import type { Operation } from '../rows/operation.ts';
import { adminActionOperations } from './admin/rows/admin-actions.ts';
import { adminFormOperations } from './admin/rows/admin-forms.ts';
import { adminImportOperations } from './admin/rows/admin-import.ts';
import { adminPageOperations } from './admin/rows/admin-pages.ts';
import { accountOperations } from './accounts/rows/accounts.ts';
import { apiKeyOperations } from './accounts/rows/api-keys.ts';
import { assetOperations } from './stac-api/rows/assets.ts';
import { authOperations } from './accounts/rows/auth.ts';
import { computeOperations } from './runs/rows/compute.ts';
import { dashboardOperations } from './dashboard/rows/dashboard.ts';
import { computeFormOperations } from './dashboard/rows/compute-form.ts';
import { downloadsOperations } from './dashboard/rows/downloads.ts';
import { ownRunOperations } from './dashboard/rows/own-runs.ts';
import { ownPasswordOperations } from './dashboard/rows/own-password.ts';
import { discoveryOperations } from './discovery/rows/discovery.ts';
import { createUploads, type Uploads } from './runs/handlers/import-upload.ts';
import { earthEngineOperations } from './runs/rows/earth-engine.ts';
import { importOperations } from './runs/rows/import-file.ts';
import { jobOperations } from './work-service/rows/jobs.ts';
import { orderOperations } from './runs/rows/layer-order.ts';
import { mapOperations, mapServerOperations } from './maps/rows/map.ts';
import { operatorOperations } from './maps/rows/operators.ts';
import { organizationOperations } from './accounts/rows/organizations.ts';
import { passwordOperations } from './accounts/rows/passwords.ts';
import { type ActivationRule, placeOperations } from './public-data/rows/places.ts';
import { publicDownloadOperations } from './public-data/rows/public-downloads.ts';
import { publicLayerOperations } from './public-data/rows/public-layers.ts';
import { publicPlaceOperations } from './public-data/rows/public-places.ts';
import { publicReportOperations } from './reports/rows/public-reports.ts';
import { publicTableOperations } from './public-data/rows/public-tables.ts';
import { regionOperations } from './regions/rows/regions.ts';
import { registrationOperations } from './accounts/rows/registration.ts';
import { runOperations } from './runs/rows/runs.ts';
import { scopeRunOperations } from './runs/rows/scope-runs.ts';
import type { ScreensKind } from '../sessions/screens.ts';
import { newcomerOperations } from './sign-in/rows/newcomers.ts';
import { signInOperations } from './sign-in/rows/sign-in.ts';
import { stacOperations } from './stac-api/rows/catalog.ts';
import { stacApiOperations } from './stac-api/rows/search-api.ts';
import { stacScopeOperations } from './stac-api/rows/stac-scope.ts';
import { metricsOperations } from './system/rows/metrics.ts';
import { systemOperations } from './system/rows/system.ts';
import type { Feature } from '../rows/common.ts';
import { paths } from '../wire/paths.ts';
import { crossSiteTest, type OwnPages } from '../reading/origins.ts';
import { type WorkAccess, workPolicy } from './work-service/policy.ts';
import { workflowOperations } from './work-service/rows/workflow-runs.ts';
import { type WorkflowAccess, workflowPolicy } from './work-service/workflow-policy.ts';
import { tableOperations } from './public-data/rows/tables.ts';
import { teamOperations } from './accounts/rows/teams.ts';
import { userOperations } from './accounts/rows/users.ts';
import { workServiceOperations } from './work-service/rows/work-service.ts';

/** Settings of the operations table. */
export interface TableSettings {
  /** Largest upload for import, bytes; default 1 GB. */
  readonly importBytes?: number | undefined;
  /** Callers who may activate places; default: superusers. */
  readonly activation?: ActivationRule | undefined;
  /** Callers who may run the orchestrator's workflow; default: `private`. */
  readonly workflowAccess?: WorkflowAccess | undefined;
  /** Callers of the work service, in addition to accounts that may compute; default: loopback, private addresses. */
  readonly work?: WorkAccess | undefined;
  /** False without a map server. The table then has only the two addresses of maps that Items link to. */
  readonly mapServer?: boolean | undefined;
  /** False: the table has no operation for the metrics. Default: an operation without token. */
  readonly metrics?: false | { readonly token?: string };
  /** Dashboard and admin: with sign-in pages (`own`, default), without them (`host`), or no pages (`off`). */
  readonly pages?: ScreensKind | undefined;
  /** True if the host application signs users in: the API has no operations for sign-in, registration and passwords. */
  readonly isOfHost?: boolean | undefined;
  /** Features whose operations are in the table; default: all. */
  readonly mount?: readonly Feature[] | undefined;
  /** See `Remedies.callers`. */
  readonly callers?: string | undefined;
  /** Origins of pages that may call the work service and the workflow; default: local origins. */
  readonly ownPages?: OwnPages | undefined;
}

type Rows = readonly (readonly [Feature, readonly Operation[]])[];

function pageRows(kind: ScreensKind = 'own', uploads: Uploads): Rows {
  if (kind === 'off') return [];
  const ofSignIn: Rows = [
    ['sign-in', [...signInOperations, ...newcomerOperations]],
    ['dashboard', ownPasswordOperations],
  ];
  return [
    ...(kind === 'own' ? ofSignIn : []),
    ['dashboard', [...dashboardOperations, ...computeFormOperations, ...downloadsOperations, ...ownRunOperations]],
    [
      'admin',
      [...adminPageOperations, ...adminFormOperations, ...adminActionOperations, ...adminImportOperations(uploads)],
    ],
  ];
}

/** Builds the table of operations for these pipelines. */
export function buildOperations(pipelines: readonly AnyPipeline[], settings: TableSettings = {}): readonly Operation[] {
  const isCrossSite = crossSiteTest(settings.ownPages ?? { baseUrl: 'http://localhost', origins: [] });
  const { callers = DEFAULT_REMEDIES.callers, mount } = settings;
  const workAuth = workPolicy({ ...settings.work, isOfHost: settings.isOfHost }, { isCrossSite, remedy: callers });
  const uploads = createUploads(settings.importBytes);
  const ofPasswords = [...authOperations, ...registrationOperations, ...passwordOperations];
  const rows: Rows = [
    ['discovery', discoveryOperations],
    ['system', [...systemOperations, ...(settings.metrics === false ? [] : metricsOperations(settings.metrics))]],
    ...pageRows(settings.pages, uploads),
    ['accounts', settings.isOfHost === true ? [] : ofPasswords],
    ['accounts', [...userOperations, ...organizationOperations, ...teamOperations]],
    ['accounts', [...accountOperations, ...apiKeyOperations]],
    ['runs', [...computeOperations(pipelines), ...orderOperations]],
    ['work-service', [...workServiceOperations(workAuth), ...jobOperations(workAuth)]],
    ['runs', [...runOperations, ...scopeRunOperations, ...earthEngineOperations]],
    ['regions', regionOperations],
    ['stac-api', [...stacOperations, ...stacApiOperations, ...stacScopeOperations, ...assetOperations]],
    ['public-data', tableOperations],
    ['runs', importOperations(uploads)],
    ['maps', [...(settings.mapServer === false ? mapOperations : mapServerOperations), ...operatorOperations()]],
    ['public-data', placeOperations(settings.activation ?? 'superuser')],
    ['public-data', [...publicPlaceOperations, ...publicLayerOperations, ...publicTableOperations]],
    ['reports', publicReportOperations],
    ['public-data', publicDownloadOperations],
    ['work-service', workflowOperations(workflowPolicy(settings.workflowAccess ?? 'private', isCrossSite))],
  ];
  return mount === undefined ? rows.flatMap(([, each]) => each) : mounted(rows, mount);
}

/**
 * Operations of the chosen features, and the operations of health and metrics. The two addresses of maps are added
 * if Items or lists of layers link to them.
 */
function mounted(rows: Rows, mount: readonly Feature[]): readonly Operation[] {
  const isKept = ({ path }: Operation): boolean => path === paths.health || path === paths.metrics;
  const chosen = rows.flatMap(([feature, each]) => each.filter((row) => mount.includes(feature) || isKept(row)));
  if (!mount.includes('stac-api') && !mount.includes('public-data')) return chosen;
  const served = new Set(chosen.map(({ path }) => path));
  return [...chosen, ...mapOperations.filter(({ path }) => !served.has(path))];
}
