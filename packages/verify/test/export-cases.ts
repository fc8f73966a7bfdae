import * as rules from '../src/index.js';
import type { Case } from './cases.js';
import { chainOf, keysNamed, patchesOf } from './chains.js';
import { equal, failsAt } from './expectations.js';

const alice = keysNamed('alice');
const mallory = keysNamed('mallory');

/** Three links on wallets and one on an account with its post, two patches, and what a server says of them. */
export function anExport(): rules.ExportFile {
  const wallets = chainOf(alice, 3);
  const [post] = chainOf(alice, 1, { after: wallets.at(-1)!, platform: 'github', time: 1_718_000_010 });
  const links = [...wallets, post!];
  const { bindings } = rules.verifyChain(links);
  return {
    format: 'signet-export',
    version: 1,
    exported_at: '1718000100',
    server: 'https://signet.example',
    avatar: alice.avatar,
    links,
    patches: patchesOf(alice, [{ name: 'Alice' }, { name: null, city: 'Ulm' }]),
    bindings: bindings.map(({ platform, identity, created_at, signature }) => ({
      ...{ platform, identity, created_at, last_checked_at: created_at, is_valid: true, invalid_reason: '' },
      evidence:
        platform === 'github'
          ? { url: 'https://a.example', seen_at: '1', sha256: '', account_id: '7', matched_text: `I am ${signature}` }
          : null,
    })),
  };
}

type Change = (file: any) => void; // eslint-disable-line @typescript-eslint/no-explicit-any -- breaks the shape, too

const LIES: [string, string, Change][] = [
  ['says so of another format', 'file', (file) => (file.format = 'other')],
  ['has a version of the future', 'file', (file) => (file.version = 2)],
  ['has no links', 'file', (file) => delete file.links],
  ['has a text in place of its patches', 'file', (file) => (file.patches = 'none')],
  ['has no avatar', 'file', (file) => (file.avatar = 7)],
  ['has a binding of nothing', 'file', (file) => (file.bindings[0] = null)],
  ['has evidence of nothing', 'file', (file) => (file.bindings[0].evidence = {})],
  ['is of another Avatar', 'avatar', (file) => (file.avatar = mallory.avatar)],
  ['lacks its first link', 'prev', (file) => file.links.shift()],
  ['has a link of nothing', 'shape', (file) => (file.links[1] = null)],
  ['has another identity in a link', 'fields', (file) => (file.links[3].identity = 'bob')],
  ['has another patch', 'fields', (file) => (file.patches[0].patch.name = 'Bob')],
  ['lacks its first patch', 'prev', (file) => file.patches.shift()],
  ['names a binding that nobody signed', 'binding', (file) => (file.bindings[0].identity = 'bob')],
  ['names a binding from before', 'binding', (file) => (file.bindings[0].created_at = '1')],
  ['is silent about a binding', 'bindings', (file) => file.bindings.pop()],
  [
    'has the post of somebody else',
    'evidence',
    (file) => (file.bindings.at(-1).evidence.matched_text = mallory.sign(file.links[3].signature_payload)),
  ],
  ['holds nothing', 'content', (file) => (file.links = file.patches = file.bindings = [])],
];

export function exportCases(): Case[] {
  return [
    {
      name: 'an export verifies, as text and as what its JSON says',
      run: () => {
        const file = anExport();
        for (const form of [file, JSON.stringify(file)]) {
          const { ok, chain, patches, bindings, steps } = rules.verifyExport(form);
          equal([ok, chain.bindings.length, bindings.map((one) => one.complete)], [true, 2, [true, true]]);
          equal(patches.entries[0]!.content, { city: 'Ulm' });
          // Only the platform could show the post, and that is all that is open.
          equal(
            steps.filter(({ state }) => state !== 'ok').map(({ name, state }) => [name, state]),
            [['post', 'not_checkable']],
          );
        }
      },
    },
    ...LIES.map(([what, step, change]) => ({
      name: `an export that ${what} does not verify`,
      run: () => {
        const file = anExport();
        change(file);
        failsAt(rules.verifyExport(JSON.parse(JSON.stringify(file))), step);
      },
    })),
    {
      name: 'an export says of a forged binding that it is not good, and of the others that they are',
      run: () => {
        const file = anExport();
        const wallet = file.bindings.find(({ evidence }) => evidence === null)!;
        const link = file.links.find(({ identity }) => identity === wallet.identity)!;
        link.identity = wallet.identity = `0x${'ab'.repeat(20)}`;
        const { bindings } = rules.verifyExport(JSON.parse(JSON.stringify(file)));
        equal(
          bindings.map(({ binding, ok }) => [binding.identity === wallet.identity, ok]),
          file.bindings.map((one) => (one === wallet ? [true, false] : [false, true])),
        );
        // Nothing that passes stands beside a link that is forged.
        equal(
          bindings.find(({ ok }) => !ok)!.steps.map(({ name, state }) => [name, state]),
          [['link', 'failed']],
        );
      },
    },
    {
      name: 'an export says what could not be checked: a text that was erased, and members of later versions, proofs of the log',
      run: () => {
        const file = anExport();
        file.bindings.find(({ evidence }) => evidence)!.evidence!.matched_text = '';
        const { ok, steps } = rules.verifyExport({ ...file, later: {}, log: {} });
        equal(ok, true);
        equal(
          steps.filter(({ state }) => state !== 'ok').map(({ name }) => name),
          ['post', 'evidence', 'log', 'members'],
        );
      },
    },
    {
      name: 'nothing else is an export, whatever it is',
      run: () => {
        for (const file of [null, 7, '', '[]', 'null', '{', [], {}, '{"format":"signet-export"}', '['.repeat(10_000)]) {
          failsAt(rules.verifyExport(file), 'file');
        }
      },
    },
  ];
}
