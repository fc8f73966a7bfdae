import { createHash } from 'node:crypto';
import { appendSignatures, cosignatureTime, readNote, writeWitnessRequest } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { fromUnixSeconds } from '../domain/unix-time.js';
import { WebClient, type WebReply } from '../web/web-client.js';
import type { LogWitness } from './log-policy.js';
import type { SignedHead } from './log-store.js';
import { LogTree } from './log-tree.js';

/** What came of a request. `contradicted`: the witness knows another history of this log, or says so. */
export type WitnessOutcome =
  | { kind: 'cosigned'; line: string; at: Date }
  | { kind: 'problem'; problem: string }
  | { kind: 'contradicted'; problem: string };

/** The body of a 409 of this type is the size that the witness knows (C2SP tlog-witness). */
const SIZE_TYPE = 'text/x.tlog.size';
const MAX_TRIES = 3;
const MAX_REPLY_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;
/** Budgets and circuit breakers of witnesses are counted under this name. */
const PLATFORM = 'witness';

/** Asks witnesses to sign (C2SP tlog-witness 1.0). Both kinds of 409 are understood, and the 422 of later drafts. */
@Injectable()
export class WitnessClient {
  constructor(
    private readonly web: WebClient,
    private readonly tree: LogTree,
  ) {}

  /**
   * @param knownSize the tree that the witness signed last, as far as is known; 0 if it never did
   * @throws PlatformUnavailableError if no usable answer came
   */
  async ask(witness: LogWitness, knownSize: number, head: SignedHead): Promise<WitnessOutcome> {
    for (let [tries, oldSize] = [1, knownSize]; ; tries++) {
      if (oldSize > head.size) {
        return {
          kind: 'contradicted',
          problem: `it has signed ${oldSize} entries of this log, which has ${head.size}`,
        };
      }
      const reply = await this.send(witness, oldSize, head);
      if (reply.status === 200) return readCosignature(witness, head, textOf(reply));
      const told = sizeOf(reply);
      if (told === null || told === oldSize || tries >= MAX_TRIES) return refusalOf(reply, oldSize, head);
      oldSize = told;
    }
  }

  /** The checkpoint of this log that the witness signed last, as it shows it to monitors; null if it shows none. */
  async lastSigned({ url }: LogWitness, origin: string): Promise<string | null> {
    const hash = createHash('sha256').update(origin).digest('hex');
    const reply = await this.web.send({
      ...{ url: `${url}/${hash}/checkpoint`, trust: 'operator', platform: PLATFORM },
      ...{ maxBytes: MAX_REPLY_BYTES, timeoutMs: TIMEOUT_MS },
    });
    return reply.status === 200 ? textOf(reply) : null;
  }

  private async send({ url }: LogWitness, oldSize: number, { size, note }: SignedHead): Promise<WebReply> {
    const proof = oldSize === size ? [] : await this.tree.consistencyProof(oldSize, size);
    return this.web.send({
      ...{ url: `${url}/add-checkpoint`, trust: 'operator', platform: PLATFORM, method: 'POST' },
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: writeWitnessRequest({ oldSize, proof, checkpoint: note }),
      ...{ maxBytes: MAX_REPLY_BYTES, timeoutMs: TIMEOUT_MS },
    });
  }
}

function readCosignature({ key }: LogWitness, { note }: SignedHead, text: string): WitnessOutcome {
  const signed = readNote(appendSignatures(note, text.split('\n')));
  const time = signed && cosignatureTime(signed, key);
  const line = signed?.signatures.find(({ name, keyId }) => name === key.name && keyId === key.id)?.line;
  if (time === null || line === undefined) {
    return { kind: 'problem', problem: 'its answer has no valid cosignature of its key' };
  }
  return { kind: 'cosigned', line, at: fromUnixSeconds(time) };
}

/** The size that a 409 tells, or null. */
function sizeOf({ status, headers, body }: WebReply): number | null {
  const isSize = status === 409 && (headers['content-type'] ?? '').split(';')[0]!.trim() === SIZE_TYPE;
  const [, digits] = /^(0|[1-9]\d{0,15})\n?$/.exec(isSize ? textOf({ body }) : '') ?? [];
  return digits === undefined ? null : Number(digits);
}

function refusalOf({ status }: WebReply, oldSize: number, { size }: SignedHead): WitnessOutcome {
  if (status === 409 || status === 422) {
    const what = oldSize === size ? `another tree of ${size} entries` : `another tree of its first ${oldSize} entries`;
    return { kind: 'contradicted', problem: `it answered ${status}: it has signed ${what}` };
  }
  const reasons: Record<number, string> = {
    403: 'it does not know the key of this log',
    404: 'it does not watch this log',
    429: 'it is asked too often',
  };
  return { kind: 'problem', problem: `it answered ${status}${reasons[status] ? `: ${reasons[status]}` : ''}` };
}

function textOf({ body }: Pick<WebReply, 'body'>): string {
  return new TextDecoder().decode(body);
}
