import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Io } from '../src/terminal/io.js';
import { GROUPS } from '../src/commands.js';
import { Printer, printable } from '../src/terminal/printer.js';
import { programFor } from '../src/program.js';
import { Prompter } from '../src/terminal/prompter.js';
import { jsonReply, startStandIn } from '../../sdk/test/support/stand-in.js';
import { runHere } from './terminal.js';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
const { signal } = new AbortController();
const io: Io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env: {}, signal };

/** The names of all commands that do something, such as `kv get`. */
function leavesOf(command: Command, name = ''): string[] {
  if (command.commands.length === 0) return [name];
  return command.commands.flatMap((child) => leavesOf(child, `${name} ${child.name()}`.trim()));
}

const COMMANDS = leavesOf(programFor(io, new Prompter(io, () => {})));

describe('the command line', () => {
  it('has every command that is documented', () => {
    expect(COMMANDS.sort()).toEqual(
      expect.arrayContaining(
        [
          ...['key new', 'key show', 'key import', 'key export', 'bind', 'unbind', 'proofs', 'exists', 'chain'],
          ...['kv get', 'kv patch', 'kv chain', 'events', 'export', 'verify', 'archive verify', 'doctor', 'completion'],
          ...['log checkpoint', 'log proof', 'log verify', 'log audit', 'monitor'],
        ].sort(),
      ),
    );
  });

  it.each(COMMANDS)('has help for %s, with an example of it', async (name) => {
    const { code, text } = await runHere([...name.split(' '), '--help']);

    expect(code).toBe(0);
    expect(text).toMatch(new RegExp(`\\nExamples:\\n(?:[^]*\\n)? +\\$ [^\\n]*signet [^\\n]*${name}`));
    expect(text).toContain('--json');
  });

  it.each(['', ...GROUPS.map(({ name }) => name), ...COMMANDS])(
    'has lines of at most 100 columns in the help of "%s", as wide as the window may be',
    async (name) => {
      const { text } = await runHere([...name.split(' ').filter(Boolean), '--help']);

      expect(text.split('\n').filter((line) => [...line].length > 100)).toEqual([]);
    },
  );

  it('names in its help every variable of the environment that it reads', async () => {
    const { text } = await runHere(['--help']);
    const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const code = sources.map((name) => readFileSync(path.join(SOURCES, name), 'utf8')).join('');
    const settings = readFileSync(path.join(SOURCES, '../../look/src/options/settings.ts'), 'utf8');
    const read = [...(code.match(/\bSIGNET_[A-Z_]+/g) ?? []), ...(settings.match(/(?<=')[A-Z][A-Z_]{6,}(?=')/g) ?? [])];

    expect(new Set(read).size).toBeGreaterThan(20);
    expect([...new Set(read)].filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });

  it('wraps its help in a narrow window', () => {
    const narrow = Object.assign(new PassThrough(), { columns: 80 });
    const program = programFor({ ...io, stdout: narrow }, new Prompter(io, () => {}));
    program.commands.find((command) => command.name() === 'monitor')!.outputHelp();
    const [upToExamples] = String(narrow.read()).split('Examples:');

    expect(upToExamples).toContain('Goes on until Ctrl-C');
    expect(upToExamples!.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['a group alone', ['kv']],
    ['an unknown command', ['bnd']],
    ['a missing argument', ['proofs']],
    ['an argument too many', ['proofs', 'a', 'b']],
    ['half of what to bind', ['bind', 'github']],
    ['a key that is not one', ['chain', '0x12']],
    ['an unknown option', ['chain', '--verfy']],
    ['a position that is not a number', ['events', '--after', 'x']],
    ['a server that is not a URL', ['--server', 'localhost', 'proofs', 'a']],
    ['a shell without completion', ['completion', 'fish']],
    ['a file that is not there', ['verify', 'nowhere.json']],
  ])('ends with 2 for %s', async (_what, words) => {
    expect(await runHere(words)).toMatchObject({ code: 2 });
  });

  it.each([['chain'], ['proofs', 'a', '--platform', 'github'], ['exists', 'github', 'a'], ['kv', 'get']])(
    'refuses to ignore whom to believe about the log in %s without --complete',
    async (...words) => {
      for (const [option, value] of [
        ['--policy', 'policy.txt'],
        ['--log-key', 'log+00000000+AAAA'],
      ] as const) {
        expect(await runHere([...words, option, value])).toEqual({
          code: 2,
          text: `signet: ${option} says whom to believe about the log, which is asked with --complete: add that.\n`,
        });
      }
      expect(await runHere([...words, '--complete', '--witness-seconds', '60'])).toEqual({
        code: 2,
        text: 'signet: --witness-seconds is about the witnesses of a policy: add --policy.\n',
      });
    },
  );

  it.each([
    ['is no key', 'hunter2'],
    ['has a word too many', `${'abandon '.repeat(11)}about hunter2`],
    ['is not a number of the curve', '0'.repeat(64)],
  ])('ends with 2 where the variable with the key %s, and quotes nothing of it', async (_what, SIGNET_PRIVATE_KEY) => {
    for (const words of [['key', 'show'], ['key', 'export'], ['chain']]) {
      const { code, text } = await runHere([...words, '--json'], { SIGNET_PRIVATE_KEY });

      expect(code).toBe(2);
      expect(JSON.parse(text)).toEqual({
        error: 'invalid_key',
        message: expect.stringMatching(/^SIGNET_PRIVATE_KEY cannot be used\. [A-Z]/),
      });
      expect(text).not.toMatch(/hunter2|abandon|000/);
    }
  });

  it.each([
    ...['unknown_platform', 'unknown_event_type', 'invalid_identity', 'invalid_request', 'unstorable_text'],
    ...['invalid_public_key', 'missing_proof_location', 'chain_required'],
  ])(
    'ends with 2 where the server calls the question wrong (%s), so that no script takes it for a no',
    async (code) => {
      const server = await startStandIn(() => jsonReply({ code, message: 'There is no platform "githb".' }, 400));
      try {
        const words = ['--server', server.baseUrl, 'proofs', 'alice', '--platform', 'githb'];

        expect(await runHere(words)).toEqual({ code: 2, text: 'signet: There is no platform "githb".\n' });
      } finally {
        await server.close();
      }
    },
  );

  it.each([['exists', 'github', 'alice'], ['chain'], ['kv', 'get'], ['export'], ['watch'], ['keys', 'show']])(
    'says in %s that an Avatar can be named where there is no key of one’s own',
    async (...words) => {
      const { text } = await runHere([...words, '--key', '/nowhere/key.json']);

      expect(text).toBe(
        'signet: There is no key at /nowhere/key.json. Make one with signet key new, or name another with --key or SIGNET_KEY_FILE. Or name the Avatar that you mean, a public key in hex.\n',
      );
    },
  );

  it('begins its help with the commands of a first hour, and shows no empty list as a default', async () => {
    const { text } = await runHere(['--help']);

    for (const line of ['signet key new', 'signet bind github alice-demo', 'signet proofs alice-demo']) {
      expect(text).toContain(`\n  $ ${line}\n`);
    }
    expect((await runHere(['monitor', '--help'])).text).not.toContain('default: []');
  });

  it('ends with 0 for help and version', async () => {
    expect(await runHere(['--help'])).toMatchObject({ code: 0 });
    expect(await runHere(['--version'])).toEqual({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

describe('completion', () => {
  it('of commands, options and shells works in bash', async () => {
    const { text: script } = await runHere(['completion', 'bash']);
    const complete = (...words: string[]) => {
      const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _signet; echo "\${COMPREPLY[*]}"`;
      return execFileSync('bash', ['--norc', '-c', ask, 'bash', ...words], { encoding: 'utf8' })
        .trim()
        .split(' ');
    };

    expect(complete('signet', 'ex')).toEqual(['exists', 'export']);
    expect(complete('signet', 'kv', '')).toEqual(expect.arrayContaining(['get', 'patch', 'chain']));
    expect(complete('signet', 'kv', 'get', '--pl')).toEqual(['--platform']);
    expect(complete('signet', 'events', '--json', '--fo')).toEqual(['--follow']);
    expect(complete('signet', 'completion', 'z')).toEqual(['zsh']);
  });

  it('has a script for zsh, which reads it where it is installed', async () => {
    const { text } = await runHere(['completion', 'zsh']);
    const checked = spawnSync('zsh', ['-n'], { input: text, encoding: 'utf8' });

    expect(text).toMatch(/^#compdef signet\n/);
    if (!checked.error) expect(checked.stderr).toBe('');
  });
});

describe('what is printed', () => {
  it('cannot steer the terminal', () => {
    expect(printable('a\u001b[2J\u009b1mb\u202ec\u200d\n')).toBe('a\\u{1b}[2J\\u{9b}1mb\\u{202e}c\\u{200d}\\u{a}');
  });

  const printed = (env: Record<string, string>, isTTY: boolean, json: boolean) => {
    const stdout = Object.assign(new PassThrough(), { isTTY });
    const printer = new Printer({ ...io, stdout, env }, json);
    printer.table(
      [{ name: 'a\u009b' }, { name: '鍵' }],
      [{ title: 'NAME', text: ({ name }) => name, style: () => 'red' }],
    );
    return String(stdout.read());
  };

  it('has colours at a terminal only, and never where NO_COLOR is set', () => {
    expect(printed({}, true, false)).toContain('\u001b[31m');
    expect(printed({ NO_COLOR: '1' }, true, false)).toBe('NAME\na\\u{9b}\n鍵\n');
    expect(printed({ TERM: 'dumb' }, true, false)).not.toContain('\u001b');
    expect(printed({}, false, false)).not.toContain('\u001b');
  });

  it('is one JSON object a line with --json, in which control characters are escaped', () => {
    expect(printed({}, true, true)).toBe('{"name":"a\\u009b"}\n{"name":"鍵"}\n');
  });
});
