// An empty project of a user, in which packages are installed.
import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_BUFFER = 1e8;

/** Environment without npm's variables. */
const ENV = Object.fromEntries(
  Object.entries(process.env).filter(([key]) => !/^(npm_|INIT_CWD|NODE_OPTIONS)/.test(key)),
);

/** A port that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** A project in its own folder. `close` ends the project's servers. */
export class Project {
  #children = [];

  constructor({ folder, registry, tools, root }) {
    Object.assign(this, { folder, tools, root });
    mkdirSync(folder, { recursive: true });
    this.write('package.json', JSON.stringify({ private: true, type: 'module' }));
    this.write('.npmrc', `registry=${registry}\nfund=false\naudit=false\nupdate-notifier=false\n`);
  }

  write(name, text) {
    writeFileSync(join(this.folder, name), text);
  }

  /** Program with this name in docs/embed.md. */
  program(name) {
    const page = readFileSync(join(this.root, 'docs', 'embed.md'), 'utf8');
    const text = new RegExp(`^\`${name}\\.ts\`[^\\n]*\\n\\n\`\`\`ts\\n([^]*?)\`\`\``, 'm').exec(page)?.[1];
    if (text === undefined) throw new Error(`docs/embed.md: there is no program ${name}.ts`);
    return text;
  }

  async npm(...args) {
    await this.#npm(ENV, args);
  }

  /** Runs npm in a release of Node. npm refuses packages whose `engines` exclude this release. */
  async npmOn(major, ...args) {
    const path = [dirname(this.#nodeOf(major)), ENV.PATH].join(delimiter);
    await this.#npm({ ...ENV, PATH: path }, [...args, '--engine-strict']);
  }

  async #npm(env, args) {
    await run('npm', [...args, '--loglevel=error'], { cwd: this.folder, env, maxBuffer: MAX_BUFFER });
  }

  async pnpm(...args) {
    const pnpm = join(this.tools, 'pnpm', 'bin', 'pnpm.cjs');
    await run(process.execPath, [pnpm, ...args], {
      cwd: this.folder,
      env: { ...ENV, CI: 'true' },
      maxBuffer: MAX_BUFFER,
    });
  }

  /** Path of Node 20, of Node 22, or of this process (24). */
  #nodeOf(major) {
    const path = major === 24 ? process.execPath : join(this.tools, `node${major}`, 'bin', 'node');
    if (!existsSync(path)) throw new Error(`Node ${major} is missing in ${path}`);
    return path;
  }

  /** Runs code or a file in a release of Node. Returns the output. */
  async node(args, { major = 24, env = {} } = {}) {
    const options = { cwd: this.folder, env: { ...ENV, ...env }, maxBuffer: MAX_BUFFER };
    const { stdout } = await run(this.#nodeOf(major), ['--no-warnings', ...args], options);
    return stdout.trim();
  }

  /** Checks the types of a file with both kinds of module resolution, and all installed declarations. */
  async checkTypes(file, moreLibraries = []) {
    for (const module of ['nodenext', 'bundler']) {
      const compilerOptions = {
        module: module === 'bundler' ? 'esnext' : module,
        moduleResolution: module,
        target: 'es2024',
        lib: ['es2024', ...moreLibraries],
        types: existsSync(join(this.folder, 'node_modules/@types/node')) ? ['node'] : [],
        strict: true,
        skipLibCheck: false,
        noEmit: true,
      };
      this.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
      await this.tsc('-p', '.');
    }
  }

  async tsc(...args) {
    await run(join(this.root, 'node_modules', '.bin', 'tsc'), args, { cwd: this.folder, env: ENV });
  }

  /** Number of installed packages, and their size in MB. */
  installed() {
    const files = globSync('node_modules/**/*', { cwd: this.folder });
    const manifests = globSync('node_modules/{*,@*/*,**/node_modules/*,**/node_modules/@*/*}/package.json', {
      cwd: this.folder,
    });
    const bytes = files.map((file) => statSync(join(this.folder, file))).filter((each) => each.isFile());
    return { packages: new Set(manifests).size, mb: bytes.reduce((sum, { size }) => sum + size, 0) / 1e6 };
  }

  async command(name, ...args) {
    await run(this.commandPath(name), args, { cwd: this.folder, env: ENV, maxBuffer: MAX_BUFFER });
  }

  commandPath(name) {
    return join(this.folder, 'node_modules', '.bin', name);
  }

  /** Starts a program on a free port instead of 3000. Returns the address when the program responds. */
  async serve(file, text, { command, env = {}, args = [file], ready = '/api/health', withinMs = 120_000 } = {}) {
    const port = await freePort();
    if (text !== undefined) this.write(file, text.replaceAll('3000', String(port)));
    const [path, options] =
      command === undefined ? [process.execPath, ['--no-warnings']] : [this.commandPath(command), []];
    const child = spawn(path, [...options, ...args], {
      cwd: this.folder,
      env: { ...ENV, ...env, PORT: String(port), BACKEND_PORT: String(port) },
    });
    this.#children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => void (output += String(data)));
    const url = `http://127.0.0.1:${port}`;
    for (const until = Date.now() + withinMs; ; await pause(100)) {
      const answers = await fetch(url + ready).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (answers) return { url, output: () => output };
      if (child.exitCode !== null || Date.now() > until)
        throw new Error(`${file} does not answer ${ready} (exit code ${child.exitCode}):\n${output}`);
    }
  }

  async close() {
    await Promise.all(
      this.#children.splice(0).map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = new Promise((end) => child.once('exit', end));
        child.kill('SIGKILL');
        await ended;
      }),
    );
  }
}
