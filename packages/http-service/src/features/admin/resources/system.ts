import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import type { HealthPart, HealthReport } from '../../../health/report.ts';
import type { SettledOptions } from '../../../headwater-options.ts';
import type { Html } from '../../../pages/layout.ts';
import { facts } from '../../../pages/parts.ts';
import { localText, sayIn } from '../../../pages/texts.ts';
import { momentText, sizeText } from '../../../pages/words.ts';
import type {
  AdminCaller,
  AdminResource,
  AdminRow,
  AdminValue,
  LocalText,
  Tone,
} from '../../../seam/admin-resource.ts';
import { workflowAccessOf } from '../../work-service/workflow-policy.ts';
import { textFor } from '../page/admin-parts.ts';

const LABELS = {
  part: localText('part'),
  state: localText('state'),
  detail: localText('detail'),
} satisfies Record<string, LocalText>;

const PARTS: Readonly<Record<string, LocalText>> = {
  database: localText('database'),
  worker: localText('worker'),
  pixels: localText('pixelEngine'),
  scenes: localText('sourcesOfScenes'),
  disk: localText('freeSpace'),
  files: localText('folders'),
  orchestrator: localText('adminOrchestrator'),
  boundaries: localText('downloadOfBoundaries'),
  queue: localText('ageOfTheQueue'),
  backup: localText('lastBackup'),
  process: localText('process'),
};

const STATES: Readonly<Record<HealthPart['state'], LocalText>> = {
  ok: localText('adminWorks'),
  starting: localText('starting'),
  warning: localText('worksCheckIt'),
  failing: localText('doesNotWork'),
  off: localText('notSetUpHere'),
};
const TONES: Readonly<Record<HealthPart['state'], Tone>> = {
  ok: 'ok',
  starting: 'off',
  warning: 'failing',
  failing: 'failing',
  off: 'off',
};

const STATUSES: Readonly<Record<HealthReport['status'], LocalText>> = {
  ok: localText('everythingWorks'),
  degraded: localText('publishedDataAreServedCheck'),
  failing: localText('aPartThatIsNeeded'),
};

const T = {
  status: localText('status'),
  version: localText('version'),
  settings: localText('settings'),
  on: localText('on'),
  off: localText('off'),
} satisfies Record<string, LocalText>;

/** States of the service's parts, with its version and its settings. `queue` makes the part about the queue of runs. */
export function systemResource(
  { healthDetails, version }: Ports<'healthDetails' | 'version'>,
  options: SettledOptions,
  queue: AdminResource['listParts'],
): AdminResource {
  return {
    name: 'system',
    title: localText('system'),
    one: localText('partOfTheService'),
    section: 'service',
    lead: localText('statesOfThePartsOf'),
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label })),
    list: async ({ limit, offset }, caller) => {
      const parts = Object.entries((await healthDetails()).parts);
      return { rows: parts.slice(offset, offset + limit).map((part) => rowOf(part, caller)), total: parts.length };
    },
    listParts: async (caller) => {
      const { status } = await healthDetails();
      const say = (text: LocalText): string => textFor(caller, text);
      const now = facts([
        [say(T.status), html`<span class="${status === 'ok' ? 'ok' : 'failing'}">${say(STATUSES[status])}</span>`],
        [say(T.version), version],
        ...softwareFacts(options, caller),
      ]);
      return [now, ...((await queue?.(caller)) ?? []), settingsPart(options, caller)];
    },
  };
}

function rowOf([name, part]: readonly [string, HealthPart | undefined], caller: AdminCaller): AdminRow {
  const { state = 'off', detail = null } = part ?? {};
  const shown: AdminValue = { text: textFor(caller, STATES[state]), tone: TONES[state] };
  return { id: name, values: { part: textFor(caller, PARTS[name] ?? { en: name }), state: shown, detail } };
}

function softwareFacts(
  { systemFacts }: SettledOptions,
  { language }: AdminCaller,
): readonly (readonly [string, string])[] {
  const say = sayIn(language);
  const node = ['Node.js', process.versions.node] as const;
  if (systemFacts === undefined) return [node];
  const { versions, files } = systemFacts();
  const listed = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const size =
    files === undefined
      ? say('sizeNotKnown')
      : say('sizeAt', { size: sizeText(files.bytes, language), time: momentText(files.at, language) });
  return [node, [say('packages'), listed.join(', ')], [say('sizeOfFiles'), size]];
}

/** Settings of the service, only as on or off, because some values are secret. */
function settingsOf(options: SettledOptions): readonly (readonly [LocalText, boolean])[] {
  const { compute, backend, imports, worker, registration = 'off', mail, eoCredentials, exportFolder } = options;
  const { apiViewer, mapViewer, apiKeyRequestsPerMinute, apiKeyRequestsPerDay, workService } = options;
  const workflowAccess = workflowAccessOf(workService);
  return [
    [localText('computingInThisProcess'), compute !== undefined && worker !== false],
    [localText('computingByAnOrchestrator'), backend !== undefined],
    [localText('importsOfFiles'), imports !== undefined],
    [localText('registrationByUsersThemselves'), registration !== 'off'],
    [localText('linksForANewPassword'), mail !== undefined],
    [localText('credentialsFileOfEarthObservation'), eoCredentials !== undefined && eoCredentials.isMounted !== false],
    [localText('workbooksAsFilesInA'), exportFolder !== undefined],
    [localText('workflowRoutesThatAreNot'), workflowAccess !== 'private'],
    [localText('limitOfRequestsWithApi'), apiKeyRequestsPerMinute !== undefined || apiKeyRequestsPerDay !== undefined],
    [localText('referencePageThatSendsRequests'), apiViewer !== undefined],
    [localText('interactiveMaps'), mapViewer !== undefined],
  ];
}

function settingsPart(options: SettledOptions, caller: AdminCaller): Html {
  const say = (text: LocalText): string => textFor(caller, text);
  return html`<section aria-labelledby="settings">
    <h2 id="settings">${say(T.settings)}</h2>
    ${facts(
      settingsOf(options).map(([label, isOn]) => [
        say(label),
        html`<span class="${isOn ? 'ok' : 'off'}">${say(isOn ? T.on : T.off)}</span>`,
      ]),
    )}
  </section>`;
}
