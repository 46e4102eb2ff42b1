import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import type { HealthPart, HealthReport } from '../../../health/report.ts';
import type { HeadwaterOptions } from '../../../headwater-options.ts';
import type { Html } from '../../../pages/layout.ts';
import { facts } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { momentText, sizeText } from '../../../pages/words.ts';
import type {
  AdminCaller,
  AdminResource,
  AdminRow,
  AdminValue,
  LocalText,
  Tone,
} from '../../../seam/admin-resource.ts';
import { textFor } from '../page/admin-parts.ts';

const LABELS = {
  part: { en: 'Part', hi: 'भाग' },
  state: { en: 'State', hi: 'स्थिति' },
  detail: { en: 'Detail', hi: 'विवरण' },
} satisfies Record<string, LocalText>;

const PARTS: Readonly<Record<string, LocalText>> = {
  database: { en: 'Database', hi: 'डेटाबेस' },
  worker: { en: 'Worker', hi: 'वर्कर' },
  pixels: { en: 'Pixel engine', hi: 'पिक्सेल इंजन' },
  scenes: { en: 'Sources of scenes', hi: 'दृश्यों के स्रोत' },
  disk: { en: 'Free space', hi: 'खाली स्थान' },
  files: { en: 'Folders', hi: 'फ़ोल्डर' },
  orchestrator: { en: 'Orchestrator', hi: 'ऑर्केस्ट्रेटर' },
  boundaries: { en: 'Download of boundaries', hi: 'सीमाओं का डाउनलोड' },
  process: { en: 'Process', hi: 'प्रक्रिया' },
};

const STATES: Readonly<Record<HealthPart['state'], LocalText>> = {
  ok: { en: 'Works', hi: 'ठीक' },
  starting: { en: 'Starting', hi: 'शुरू हो रहा है' },
  warning: { en: 'Works, check it', hi: 'चल रहा है, जाँचें' },
  failing: { en: 'Does not work', hi: 'काम नहीं कर रहा' },
  off: { en: 'Not set up here', hi: 'यहाँ सेट नहीं' },
};
const TONES: Readonly<Record<HealthPart['state'], Tone>> = {
  ok: 'ok',
  starting: 'off',
  warning: 'failing',
  failing: 'failing',
  off: 'off',
};

const STATUSES: Readonly<Record<HealthReport['status'], LocalText>> = {
  ok: { en: 'Everything works', hi: 'सब ठीक है' },
  degraded: { en: 'Published data are served; check the parts below', hi: 'प्रकाशित डेटा मिल रहा है; नीचे के भाग जाँचें' },
  failing: { en: 'A part that is needed does not work', hi: 'एक आवश्यक भाग काम नहीं कर रहा' },
};

const T = {
  status: { en: 'Status', hi: 'कुल स्थिति' },
  version: { en: 'Version', hi: 'संस्करण' },
  settings: { en: 'Settings', hi: 'सेटिंग' },
  on: { en: 'On', hi: 'चालू' },
  off: { en: 'Off', hi: 'बंद' },
} satisfies Record<string, LocalText>;

/** States of the service's parts, with its version, its queue and its settings. `queue`: pieces that summarise the queue. */
export function systemResource(
  { healthDetails, version }: Ports<'healthDetails' | 'version'>,
  options: HeadwaterOptions,
  queue: AdminResource['listParts'],
): AdminResource {
  return {
    name: 'system',
    title: { en: 'System', hi: 'सिस्टम' },
    one: { en: 'part of the service', hi: 'सेवा का भाग' },
    section: 'service',
    lead: {
      en: 'States of the parts of the service, its queue and its settings. Settings are changed where the server is started.',
      hi: 'सेवा के भागों की स्थिति, उसकी कतार और सेटिंग। सेटिंग वहीं बदलती हैं जहाँ सर्वर शुरू होता है।',
    },
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

/** Versions of Node and of packages, and the size of the files. */
function softwareFacts(
  { systemFacts }: HeadwaterOptions,
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

/** Settings that are on or off. None of their values is shown, because some are secret. */
function settingsOf(options: HeadwaterOptions): readonly (readonly [LocalText, boolean])[] {
  const { compute, backend, imports, worker, registration = 'off', mail, eoCredentials, exportFolder } = options;
  const { apiViewer, mapViewer, apiKeyRequestsPerMinute, apiKeyRequestsPerDay, workflowAccess = 'private' } = options;
  return [
    [{ en: 'Computing in this process', hi: 'इसी प्रक्रिया में गणना' }, compute !== undefined && worker !== false],
    [{ en: 'Computing by an orchestrator', hi: 'ऑर्केस्ट्रेटर से गणना' }, backend !== undefined],
    [{ en: 'Imports of files', hi: 'फ़ाइलों का आयात' }, imports !== undefined],
    [{ en: 'Registration by users themselves', hi: 'उपयोगकर्ताओं का स्वयं पंजीकरण' }, registration !== 'off'],
    [{ en: 'Links for a new password by mail', hi: 'नए पासवर्ड के लिंक मेल से' }, mail !== undefined],
    [
      { en: 'Credentials file of Earth-observation accounts', hi: 'पृथ्वी-अवलोकन खातों की क्रेडेंशियल फ़ाइल' },
      eoCredentials !== undefined,
    ],
    [{ en: 'Workbooks as files in a folder', hi: 'फ़ोल्डर में कार्यपुस्तिकाएँ' }, exportFolder !== undefined],
    [{ en: 'Workflow routes that are not private', hi: 'बाहर के अनुरोधों के लिए वर्कफ़्लो' }, workflowAccess !== 'private'],
    [
      { en: 'Limit of requests with API keys', hi: 'एपीआई कुंजियों के अनुरोधों की सीमा' },
      apiKeyRequestsPerMinute !== undefined || apiKeyRequestsPerDay !== undefined,
    ],
    [{ en: 'Reference page that sends requests', hi: 'अनुरोध भेजने वाला संदर्भ पृष्ठ' }, apiViewer !== undefined],
    [{ en: 'Interactive maps', hi: 'इंटरैक्टिव मानचित्र' }, mapViewer !== undefined],
  ];
}

function settingsPart(options: HeadwaterOptions, caller: AdminCaller): Html {
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
