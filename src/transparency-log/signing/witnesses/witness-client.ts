import { appendSignatures, originHash, readNote, writeWitnessRequest } from '@signet/verify/internal/log';
import { cosignatureTime } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { fromUnixSeconds } from '../../../domain/unix-time.js';
import type { WebReply } from '@signet/look';
import { WebClient } from '../../../outbound/web-client.js';
import type { LogWitness } from './log-policy.js';
import type { SignedHead } from '../heads/signed-head.js';
import { TreeStore } from '../../tree/tree-store.js';

/**
 * What came of a request. `unknown`: the witness does not watch this log. `contradicted`: it knows another history of
 * this log, or says so; `claimedSize` are its entries where those are more than were shown to it, otherwise null.
 */
export type WitnessOutcome =
  | { kind: 'cosigned'; line: string; at: Date }
  | { kind: 'problem' | 'unknown'; problem: string }
  | { kind: 'contradicted'; problem: string; claimedSize: number | null };

/** The body of a 409 of this type is the size that the witness knows (C2SP tlog-witness). */
const SIZE_TYPE = 'text/x.tlog.size';
const MAX_TRIES = 3;
/** Of each request; budgets and circuit breakers of witnesses are counted under the name of the platform. */
const REQUEST = { trust: 'operator', platform: 'witness', maxBytes: 64 * 1024, timeoutMs: 10_000 } as const;

/**
 * Asks witnesses to sign (C2SP tlog-witness). Another root at one size is answered with 422 by the text of 2026-07, and
 * with a 409 that has no size by 1.0.0 and older witnesses; a log that is not watched with 404, and with 403 by
 * litewitness 0.9. Each of them is understood.
 */
@Injectable()
export class WitnessClient {
  constructor(
    private readonly web: WebClient,
    private readonly tree: TreeStore,
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
          claimedSize: oldSize,
        };
      }
      const reply = await this.send(witness, oldSize, head);
      if (reply.status === 200) return readCosignature(witness, head, textOf(reply));
      const claimedSize = sizeOf(reply);
      if (claimedSize === null || claimedSize === oldSize || tries >= MAX_TRIES) return refusalOf(reply, oldSize, head);
      oldSize = claimedSize;
    }
  }

  /**
   * The checkpoint of this log that the witness signed last, as it shows it to monitors; null if it shows none.
   * @throws PlatformUnavailableError if no usable answer came; Error if it is not one that says so
   */
  async lastSigned({ url }: LogWitness, origin: string): Promise<string | null> {
    const reply = await this.web.send({ ...REQUEST, url: `${url}/${originHash(origin)}/checkpoint` });
    if (reply.status === 404) return null;
    if (reply.status !== 200) throw new Error(`it answered ${reply.status} when it was asked for its checkpoint`);
    return textOf(reply);
  }

  private async send({ url }: LogWitness, oldSize: number, { size, note }: SignedHead): Promise<WebReply> {
    const proof = oldSize === size ? [] : await this.tree.consistencyProof(oldSize, size);
    return this.web.send({
      ...REQUEST,
      url: `${url}/add-checkpoint`,
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: writeWitnessRequest({ oldSize, proof, checkpoint: note }),
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

/** Returns the size that a 409 names, or null. */
function sizeOf({ status, headers, body }: WebReply): number | null {
  const isSize = status === 409 && (headers['content-type'] ?? '').split(';')[0]!.trim() === SIZE_TYPE;
  const [, digits] = /^(0|[1-9]\d{0,15})\n?$/.exec(isSize ? textOf({ body }) : '') ?? [];
  return digits === undefined ? null : Number(digits);
}

function refusalOf({ status }: WebReply, oldSize: number, { size }: SignedHead): WitnessOutcome {
  if (status === 409 || status === 422) {
    const what = oldSize === size ? `another tree of ${size} entries` : `another tree of its first ${oldSize} entries`;
    return { kind: 'contradicted', problem: `it answered ${status}: it has signed ${what}`, claimedSize: null };
  }
  const reasons: Record<number, string> = {
    403: 'it does not accept the signature of this log, or does not know the log',
    404: 'it does not watch this log',
    429: 'it is asked too often',
  };
  const problem = `it answered ${status}${reasons[status] ? `: ${reasons[status]}` : ''}`;
  return { kind: status === 403 || status === 404 ? 'unknown' : 'problem', problem };
}

function textOf({ body }: Pick<WebReply, 'body'>): string {
  return new TextDecoder().decode(body);
}
