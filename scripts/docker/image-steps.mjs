import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';

/**
 * A stage of a Dockerfile: its folder, and what its instructions have set.
 * @typedef {{ root: string, workdir: string, env: Record<string, string>, args: Record<string, string>, user: string,
 *   healthcheck: string[], command: string[] }} Stage
 * @typedef {{ context: string, stages: Map<string, Stage>, args: Record<string, string> }} World
 */

/**
 * Runs a Dockerfile as a script: each stage is a folder, COPY copies, RUN runs in WORKDIR. Base images are this
 * machine. Knows the instructions that ours has and throws for any other.
 * @param {{ dockerfile: string, root: string, folder: string, args: Record<string, string> }} options
 * @returns {{ workdir: string, env: Record<string, string>, user: string, healthcheck: string[], command: string[] }}
 *   the result of the last stage; paths and environment point into its folder
 */
export function buildImage({ dockerfile, root, folder, args }) {
  const context = path.join(folder, 'context');
  copyContext(root, context);
  /** @type {Map<string, Stage>} */
  const stages = new Map();
  /** @type {Stage | undefined} */
  let stage;
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const keyword = instruction.getKeyword();
    // With its flags, which the parser keeps apart.
    const text = instruction.getTextContent().slice(keyword.length).trim();
    if (keyword !== 'ARG') console.log(`  ${keyword} ${text}`);
    if (keyword === 'FROM') {
      const name = / AS (\w+)$/.exec(text)?.[1] ?? 'final';
      stage = {
        root: path.join(folder, name),
        workdir: '/',
        env: {},
        args: {},
        user: 'root',
        healthcheck: [],
        command: [],
      };
      stages.set(name, stage);
      mkdirSync(stage.root);
    } else if (stage) {
      step(stage, keyword, text, { context, stages, args });
    }
  }
  if (!stage) throw new Error('The Dockerfile has no stage.');
  const { root: base, workdir, env, user, healthcheck, command } = stage;
  const inside = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.startsWith('/') ? path.join(base, value) : value]),
  );
  return { workdir: path.join(base, workdir), env: inside, user, healthcheck, command };
}

/** @param {Stage} stage @param {string} keyword @param {string} text @param {World} world */
function step(stage, keyword, text, world) {
  switch (keyword) {
    case 'WORKDIR':
      stage.workdir = text;
      mkdirSync(path.join(stage.root, text), { recursive: true });
      return;
    case 'ENV':
      for (const pair of text.split(' ')) stage.env[pair.split('=')[0]] = pair.split('=')[1];
      return;
    case 'ARG': {
      const [name, standard = ''] = text.split('=');
      stage.args[name] = world.args[name] ?? standard;
      return;
    }
    case 'COPY':
      return copy(stage, text.split(/\s+/), world);
    case 'RUN':
      return run(stage, text);
    case 'USER':
      stage.user = text;
      return;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(text.slice(text.indexOf('[')));
      return;
    case 'CMD':
      stage.command = JSON.parse(text);
      return;
    case 'VOLUME':
    case 'EXPOSE':
      return;
    default:
      throw new Error(`The script does not know the instruction ${keyword}.`);
  }
}

/** @param {Stage} stage @param {string} command */
function run(stage, command) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...stage.env, ...stage.args };
  const cwd = path.join(stage.root, stage.workdir);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`RUN ${command} failed:\n${stdout}${stderr}`);
}

/**
 * The content of a folder, a file under its name, or the source that `--from` names; `--chown` gives it to the image's
 * user.
 * @param {Stage} stage
 * @param {string[]} words
 * @param {World} world
 */
function copy(stage, words, { context, stages }) {
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const owner = words.find((word) => word.startsWith('--chown='));
  const [target, ...sources] = words.filter((word) => !word.startsWith('--')).reverse();
  const base = from ? stages.get(from)?.root : context;
  if (base === undefined) throw new Error(`COPY: there is no stage ${from}.`);
  for (const source of sources) {
    const origin = path.join(base, source);
    if (!existsSync(origin)) throw new Error(`COPY: there is no ${source}.`);
    const place = target.startsWith('/') ? path.join(stage.root, target) : path.join(stage.root, stage.workdir, target);
    const isIntoFolder = target.endsWith('/') && !statSync(origin).isDirectory();
    const destination = isIntoFolder ? path.join(place, path.basename(source)) : place;
    cpSync(origin, destination, { recursive: true, verbatimSymlinks: true });
    if (owner && process.getuid?.() === 0) spawnSync('chown', ['-R', '1000:1000', destination]);
  }
}

/**
 * The build context: .dockerignore is a list of exceptions after a line that ignores all.
 * @param {string} root
 * @param {string} context
 */
function copyContext(root, context) {
  const lines = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (rules[0] !== '*' || rules.slice(1).some((rule) => !rule.startsWith('!'))) {
    throw new Error('.dockerignore must be `*` and then names behind `!`.');
  }
  for (const name of rules.slice(1)) {
    cpSync(path.join(root, name.slice(1)), path.join(context, name.slice(1)), { recursive: true });
  }
}

/**
 * Bytes of all files below.
 * @param {string} folder
 */
export function directorySize(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}
