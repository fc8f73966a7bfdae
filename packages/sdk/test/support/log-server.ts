import { createHash } from 'node:crypto';
import {
  encodeBundle,
  erasureEntry,
  inclusionFromTiles,
  appendLeaves,
  linkEntry,
  linkRecord,
  parseTilePath,
  patchEntry,
  readOtherEntry,
  recordEntry,
  TILE_WIDTH,
  tileWidth,
} from '@signet/verify/internal/log';
import {
  encodeHex,
  type FeedLink,
  type FeedPatch,
  KEY_ENTRIES,
  leafHash,
  readEntry,
  treeRoot,
  writeLogProof,
} from '@signet/verify/log';
import { type NoteSigner, noteSigner, signCheckpoint } from '@signet/verify/log-sign';
import { writeVerifierKey } from '@signet/verify/log';
import { linkPayload, patchPayload } from '@signet/verify';
import { identityKeyText } from '@signet/verify/internal/chains';
import { keyEventPayload, type KeyStatement, type SignedKeyEvent } from '@signet/verify/key-events';
import { MapState, writeMapEntry } from '@signet/verify/internal/map';
import { type AppPrivateKey, signPersonal } from '@signet/verify/sign';
import { anAvatar, type Person } from './people.js';
import {
  jsonReply,
  type StandIn,
  type StandInReply,
  type StandInRequest,
  startStandIn,
  textReply,
} from './stand-in.js';

const RECORDED_AT = 1_700_000_000;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What a test wants to be otherwise in a patch. */
interface PatchChanges {
  /** The key of an app that signs it. */
  by?: AppPrivateKey;
  recordedAt?: number;
  created_at?: number;
  identity?: string;
}

/** Links and patches of people, with true signatures and chains, and the log over them. Everything can be spoilt. */
export class History {
  readonly links: FeedLink[] = [];
  readonly patches: FeedPatch[] = [];
  readonly keys: (SignedKeyEvent & { id: number; avatar: string })[] = [];
  /** The leaves, in their order. */
  readonly entries: string[] = [];
  signer: NoteSigner;

  constructor(
    readonly origin = 'signet.example/log',
    seed = 3,
  ) {
    this.signer = noteSigner(origin, new Uint8Array(32).fill(seed));
  }

  get verifierKey(): string {
    return writeVerifierKey(this.signer.key);
  }

  /** Another history with the same beginning, key and name. */
  fork(): History {
    const fork = new History(this.origin);
    fork.signer = this.signer;
    fork.links.push(...structuredClone(this.links));
    fork.patches.push(...structuredClone(this.patches));
    fork.keys.push(...structuredClone(this.keys));
    fork.entries.push(...this.entries);
    return fork;
  }

  /** @param recordedAt UNIX seconds that the entry says */
  addLink(owner: Person, identity: string, recordedAt = RECORDED_AT): FeedLink {
    const link = this.makeLink(owner, identity);
    this.links.push(link);
    this.entries.push(linkEntry(link, recordedAt));
    return link;
  }

  /** A link that continues the chain of its owner, signed, and stored nowhere. */
  makeLink(owner: Person, identity: string): FeedLink {
    const avatar = owner.key.compressed;
    const last = this.links.findLast((link) => link.avatar === avatar);
    const fields = {
      action: 'create',
      platform: 'github',
      identity,
      created_at: String(RECORDED_AT + this.links.length),
    };
    const uuid = uuidOf(`link ${this.links.length} ${identity}`);
    const text = linkPayload({ ...fields, avatar, uuid, prev: last?.signature ?? null });
    const signature = signPersonal(text, owner.privateKey);
    const id = this.links.length + 1;
    return { id, avatar, ...fields, uuid, proof_location: 'x', signature, signature_payload: text, extra: {} };
  }

  addPatch(owner: Person, patch: object, { by, recordedAt = RECORDED_AT, ...changes }: PatchChanges = {}): FeedPatch {
    const avatar = owner.key.compressed;
    const last = this.patches.findLast((one) => one.avatar === avatar);
    const id = this.patches.length + 1;
    const fields = { platform: 'github', identity: 'alice', patch, created_at: RECORDED_AT + id, ...changes };
    const uuid = uuidOf(`patch ${id}`);
    const signer = by ? { signer: by.key } : {};
    const text = patchPayload({ ...fields, ...signer, avatar, uuid, prev: last?.signature ?? null });
    const signature = by ? by.sign(text) : owner.sign(text);
    const item = { id, avatar, ...fields, ...signer, uuid, signature, signature_payload: text };
    this.patches.push(item);
    this.entries.push(patchEntry(item, recordedAt));
    return item;
  }

  /**
   * A key event that is in force at once, signed by the owner's own key; `key.add` by the key of the app too.
   * @param patches what it says of how many patches there were; as many as there are when absent
   * @param dueIn seconds behind its recording
   */
  addKey(
    owner: Person,
    said: KeyStatement,
    { by, patches, dueIn = 0 }: { by?: AppPrivateKey; patches?: number; dueIn?: number } = {},
  ): void {
    const avatar = owner.key.compressed;
    const [own, before] = [this.keys, this.patches].map((all) => all.filter((one) => one.avatar === avatar));
    const id = this.keys.length + 1;
    const recorded = RECORDED_AT + id;
    const fields = { avatar, created_at: recorded, uuid: uuidOf(`key ${id}`), ...said };
    const text = keyEventPayload({ ...fields, prev: own!.at(-1)?.signature ?? null });
    const item = {
      ...{ id, ...fields, signature_payload: text, signer: 'main', signature: owner.sign(text) },
      ...{ cosigner: by?.key ?? null, cosignature: by?.sign(text) ?? null, successor_signature: null },
      ...{
        links: this.links.length,
        patches: patches ?? before!.length,
        recorded_at: recorded,
        due_at: recorded + dueIn,
      },
    };
    this.keys.push(item);
    this.entries.push(recordEntry(KEY_ENTRIES, item, recorded));
  }

  /** An entry of the map over what was added before, and whatever a test wants to be wrong with it. */
  addMap(changes: { root?: string; size?: number } = {}): void {
    const map = new MapState();
    for (const text of this.entries) map.apply(readEntry(bytesOf(text)) ?? readOtherEntry(bytesOf(text)));
    const entry = { recorded_at: RECORDED_AT, root: encodeHex(map.root()), size: this.entries.length, ...changes };
    this.entries.push(writeMapEntry(entry));
  }

  /** Erases the text of a link, with its entry unless the operator hides it. */
  eraseLink(id: number, isLogged = true): void {
    const link = this.links.find((one) => one.id === id)!;
    const erased = {
      at: RECORDED_AT,
      identity_key: identityKeyText(link),
      reason: 'order 12',
      record: linkRecord(link),
    };
    Object.assign(link, { identity: '', proof_location: '', signature_payload: '', extra: {}, erased });
    if (isLogged) this.entries.push(erasureEntry({ link: { ...link, erased } }));
  }

  checkpoint(size = this.entries.length): string {
    return signCheckpoint({ origin: this.origin, size, root: treeRoot(this.leaves().slice(0, size)) }, this.signer);
  }

  leaves(): Uint8Array[] {
    return this.entries.map((entry) => leafHash(bytesOf(entry)));
  }

  /** @param parts what the entry says, such as its uuid */
  async proofFor(...parts: string[]): Promise<string | null> {
    const index = this.entries.findIndex((entry) => parts.every((part) => entry.includes(part)));
    if (index < 0) return null;
    const tiles = await this.tiles();
    const proof = await inclusionFromTiles(index, this.entries.length, async (wanted) =>
      wanted.map(({ level, number }) => tiles.get(`${level}/${number}`)!),
    );
    return writeLogProof({ extra: bytesOf(this.entries[index]!), index, proof, checkpoint: this.checkpoint() });
  }

  async tiles(): Promise<Map<string, Uint8Array>> {
    const { tiles } = await appendLeaves(0, this.leaves(), async () => []);
    return new Map(tiles.map(({ level, number, hashes }) => [`${level}/${number}`, hashes]));
  }

  async file(path: string): Promise<Uint8Array | null> {
    const tile = parseTilePath(path);
    const width = tile && tileWidth(tile.level, tile.number, this.entries.length);
    if (!tile || !width || width < tile.width) return null;
    const first = tile.number * TILE_WIDTH;
    if (tile.level === 'entries') return encodeBundle(this.entries.slice(first, first + tile.width).map(bytesOf));
    return (await this.tiles()).get(`${tile.level}/${tile.number}`)!.subarray(0, tile.width * 32);
  }
}

/** A server that shows one history; `show` makes it show another, as a hostile operator would. */
export interface LogServer extends StandIn {
  show(history: History): void;
  /** Answers before the history does, where it answers anything. */
  intercept(handler: (request: StandInRequest) => StandInReply | undefined): void;
}

export async function startLogServer(first: History): Promise<LogServer> {
  let history = first;
  let intercepted: (request: StandInRequest) => StandInReply | undefined = () => undefined;
  const standIn = await startStandIn(async (request) => intercepted(request) ?? answerOf(history, request));
  return Object.assign(standIn, {
    show: (next: History) => {
      history = next;
    },
    intercept: (handler: typeof intercepted) => {
      intercepted = handler;
    },
  });
}

async function answerOf(history: History, { path, query }: StandInRequest): Promise<StandInReply> {
  const after = Number(query.get('last_id'));
  const key = query.get('public_key') ?? query.get('avatar');
  const page = (member: string, items: object[]) =>
    jsonReply({ pagination: { total: items.length, per: 100, current: 1, next: 0 }, [member]: items });
  if (path === '/v1/log') return jsonReply({ origin: history.origin, verifier_key: history.verifierKey });
  if (path === '/log/checkpoint') return textReply(history.checkpoint());
  if (path === '/v1/proofchain/changes')
    return jsonReply({ links: history.links.filter(({ id }) => id > after).slice(0, 100) });
  if (path === '/v1/kv/changes')
    return jsonReply({ patches: history.patches.filter(({ id }) => id > after).slice(0, 100) });
  if (path === '/v1/keys/changes')
    return jsonReply({ keys: history.keys.filter(({ id }) => id > after).slice(0, 100) });
  if (path === '/v1/proofchain')
    return page(
      'proof_chain',
      history.links.filter(({ avatar }) => avatar === key),
    );
  if (path === '/v1/kv/chain')
    return page(
      'kv_chain',
      history.patches.filter(({ avatar }) => avatar === key),
    );
  if (path === '/v1/log/proof') {
    const [id, kind] = [query.get('id'), query.get('kind') ?? ''];
    const number = id === null ? [] : [`"id":${id},`];
    const proof = await history.proofFor(query.get('uuid') ?? '', `"kind":"${kind}`, ...number);
    return proof === null ? jsonReply({ message: 'It waits.', code: 'not_yet_logged' }, 404) : textReply(proof);
  }
  const file = path.startsWith('/log/') ? await history.file(path.slice('/log/'.length)) : null;
  return file
    ? { bytes: file }
    : jsonReply({ message: 'No such thing.', code: path.startsWith('/log/') ? 'tile_not_found' : 'not_found' }, 404);
}

/** A log of ten links of two people and two patches. */
export function aHistory(): History {
  const history = new History();
  const [alice, bob] = [anAvatar('alice'), anAvatar('bob')];
  for (let n = 0; n < 5; n++) {
    history.addLink(alice, `alice-${n}`);
    history.addLink(bob, `bob-${n}`);
  }
  history.addPatch(alice, { a: 1 });
  history.addPatch(alice, { b: [2] });
  return history;
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
