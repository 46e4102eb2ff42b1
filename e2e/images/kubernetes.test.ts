import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { INCOMPLETE } from '../../packages/server/src/backup/backup-command.ts';
import { findVenv, KUBERNETES_JUDGE } from '../../scripts/peers.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/kubernetes');
const files = globSync('*.yaml', { cwd: FOLDER }).toSorted();
/** File of a pod that copies the code into a volume; the running service does not need this pod. */
const FILLS = 'code.yaml';
const version = readFileSync(join(ROOT, 'VERSION'), 'utf8').split(/\s/, 1)[0] ?? '';

interface Quantities {
  readonly cpu: string;
  readonly memory: string;
}

interface KubernetesContainer {
  readonly image: string;
  readonly args?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } };
  }[];
  readonly resources: { readonly requests: Quantities; readonly limits: Quantities };
  readonly securityContext: unknown;
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly startupProbe?: unknown;
  readonly readinessProbe?: unknown;
  readonly livenessProbe?: unknown;
}

interface Pod {
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly KubernetesContainer[];
}

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas?: number;
    readonly template?: { readonly spec: Pod };
    readonly jobTemplate?: {
      readonly spec: { readonly template: { readonly spec: Pod }; readonly podFailurePolicy?: unknown };
    };
  };
}

const documentsOf = (names: readonly string[]): readonly Workload[] =>
  names.flatMap((file) =>
    parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS() as Workload),
  );
const documents = documentsOf(files.filter((file) => file !== FILLS));
const workloads = documents.flatMap(({ kind, metadata, spec }) => {
  const pod = (spec?.jobTemplate?.spec ?? spec)?.template?.spec;
  return (pod?.containers ?? []).map((container) => ({
    kind,
    name: metadata.name,
    replicas: spec.replicas,
    pod,
    container,
  }));
});
const known = new Set(
  [...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^(\w+)=/gm)].map(([, name]) => name),
);

describe('the files for Kubernetes', () => {
  it('start two servers, two workers, daily backups and a job for migrations, all with the version in VERSION', () => {
    expect(workloads.map(({ kind, name, replicas, container }) => [kind, name, replicas, container.args?.[0]])).toEqual(
      [
        ['CronJob', 'headwater-backup', undefined, 'backup'],
        ['Job', 'headwater-migrations', undefined, 'migrate'],
        ['Deployment', 'headwater-server', 2, 'serve'],
        ['Deployment', 'headwater-worker', 2, 'worker'],
      ],
    );
    expect(workloads.map(({ container }) => container.image)).toEqual(workloads.map(() => `headwater:${version}`));
  });

  it.each(workloads)(
    'give $name resource requests and limits and no privileges, and probes if it is a deployment',
    ({ kind, pod, container }) => {
      expect(Object.keys(container.resources.requests)).toEqual(['cpu', 'memory']);
      expect(Object.keys(container.resources.limits)).toEqual(['cpu', 'memory']);
      expect(pod?.securityContext.runAsNonRoot).toBe(true);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      if (kind === 'Deployment')
        for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
          expect(probe).toBeDefined();
    },
  );

  it('check the certificate of PostgreSQL with a mounted file, and stop a server only after proxies no longer send requests to it', () => {
    const settings = Object.fromEntries(documents.flatMap(({ data = {} }) => Object.entries(data)));
    expect(settings['DB_SSL']).toBe('verify-full');
    const delay = Number(settings['STOP_DELAY_SECONDS']);
    expect(delay).toBeGreaterThanOrEqual(15);
    for (const { pod, container } of workloads) {
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain(dirname(settings['DB_SSL_CA'] ?? ''));
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + 10);
    }
  });

  it('do not repeat a backup job if the stored backup lacks files', () => {
    const [job] = documents.filter(({ kind }) => kind === 'CronJob');
    expect(job?.spec.jobTemplate?.spec.podFailurePolicy).toEqual({
      rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [INCOMPLETE] } }],
    });
  });

  it('contain no secret, only references, and only variables of .env.example', () => {
    expect(documents.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const variables = workloads.flatMap(({ container }) => container.env ?? []);
    const secrets = variables.filter(({ name }) => /PASSWORD|SECRET|TOKEN|_KEY/.test(name));
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter(({ valueFrom, name }) => valueFrom?.secretKeyRef.key !== name)).toEqual([]);
    const settings = documents.flatMap(({ data = {} }) => Object.keys(data));
    expect(settings.filter((name) => /PASSWORD|SECRET|TOKEN|_KEY/.test(name))).toEqual([]);
    expect([...settings, ...variables.map(({ name }) => name)].filter((name) => !known.has(name))).toEqual([]);
  });
});

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('the other files of a cluster', () => {
  it('contain a pod that fills the volume claim of the code, with a command that the image can run', () => {
    const text = read('deploy/kubernetes/code.yaml');
    const pod = parse(text) as { readonly spec: Pod };
    expect(pod.spec.containers.map(({ image, securityContext }) => [image, securityContext])).toEqual([
      [`headwater:${version}`, workloads[0]?.container.securityContext],
    ]);
    // Runs the shell command of the manifest's first comment in a local folder.
    const folder = mkdtempSync(join(tmpdir(), 'headwater-code-'));
    const command = /-- sh -c '([^']+)'/.exec(text)?.[1]?.replaceAll('/code', folder) ?? 'false';
    execFileSync('sh', ['-c', command], {
      input: execFileSync('git', ['archive', 'HEAD', 'package-lock.json', 'packages'], { cwd: ROOT, maxBuffer: 1e9 }),
    });
    for (const name of ['data', 'models', 'package-lock.json', 'packages/server/src/start.ts'])
      expect(existsSync(join(folder, name))).toBe(true);
    rmSync(folder, { recursive: true });
  });

  it('read metrics from the ports that servers and workers name, with the token in the secret', () => {
    const scrape = parse(read('deploy/prometheus/headwater-scrape.yaml')) as {
      readonly scrape_configs: readonly {
        readonly job_name: string;
        readonly relabel_configs: readonly { readonly regex?: string }[];
      }[];
      readonly rule_files: readonly string[];
    };
    const [job] = scrape.scrape_configs;
    const regex = job?.relabel_configs[0]?.regex ?? '';
    expect(read(`deploy/prometheus/${scrape.rule_files[0]}`)).toContain(`up{job="${job?.job_name}"}`);
    const ports = workloads.flatMap(({ name, container }) =>
      (container.ports ?? []).map((port) => ({ name, port, container })),
    );
    const scraped = ports.filter(({ port }) => new RegExp(`^(?:${regex})$`).test(port.name));
    expect(scraped.map(({ name, port }) => [name, port.containerPort])).toEqual([
      ['headwater-server', 8000],
      ['headwater-worker', 9100],
    ]);
    for (const { container } of scraped) expect(container.env?.map(({ name }) => name)).toContain('METRICS_TOKEN');
  });
});

const judge = findVenv(KUBERNETES_JUDGE);
if ('reason' in judge) console.log(`skipped: kubernetes-validate. ${judge.reason}`);

describe.skipIf('reason' in judge)('kubernetes-validate', () => {
  const python = 'python' in judge ? judge.python : '';
  const program = join(python, '..', 'kubernetes-validate');

  it('accepts every file', () => {
    const output = execFileSync(program, ['--strict', ...files.map((file) => join(FOLDER, file))], {
      encoding: 'utf8',
    });
    expect(output.match(/ passed for resource /g)).toHaveLength(documentsOf(files).length);
  });

  it('the check refuses a misspelt member, which proves that it can fail', () => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-kubernetes-'));
    try {
      const wrong = join(folder, 'servers.yaml');
      writeFileSync(
        wrong,
        readFileSync(join(FOLDER, 'servers.yaml'), 'utf8').replace('readinessProbe:', 'readynessProbe:'),
      );
      expect(spawnSync(program, ['--strict', wrong]).status).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
