/** A log with its witnesses, and links and patches to put into it. */
import { utf8 } from '@signet/verify/internal';
import { consistencyNodes, foldNodes, inclusionNodes } from '@signet/verify/internal/log';
import { checkpointText, leafHash, treeRoot, writeLogProof, writeVerifierKey } from '@signet/verify/log';
import { cosigner, noteSigner, signCheckpoint } from '@signet/verify/log-sign';
import { alice, linksOf, numbered, patchesOf, person, START } from './people.mjs';

/**
 * @import { LogProof } from '@signet/verify/log'
 * @import { TreeNode } from '@signet/verify/internal/log'
 * @import { Cosigner } from '@signet/verify/log-sign'
 */

export const ORIGIN = 'signet.example/log';
/** When entries were accepted, and when witnesses signed. */
export const RECORDED = START + 600;
export const SIGNED = START + 700;

/** A log in memory. */
export class Log {
  /** @param {string[]} entries @param {string} [name] whose key signs @param {string} [origin] */
  constructor(entries, name = 'log', origin = ORIGIN) {
    this.signer = noteSigner(origin, person(name).secret);
    this.origin = origin;
    this.entries = entries;
    this.leaves = entries.map((entry) => leafHash(utf8(entry)));
  }

  get key() {
    return writeVerifierKey(this.signer.key);
  }

  /** @param {number} [size] */
  root(size = this.leaves.length) {
    return treeRoot(this.leaves.slice(0, size));
  }

  /** @param {Cosigner[]} [witnesses] @param {number} [size] @param {number} [time] of the cosignatures */
  checkpoint(witnesses = [], size = this.leaves.length, time = SIGNED) {
    const head = { origin: this.origin, size, root: this.root(size) };
    const lines = witnesses.map((witness) => witness.cosign(checkpointText(head), time));
    return signCheckpoint(head, this.signer) + lines.join('');
  }

  /** @param {number} index @param {number} [size] */
  inclusion(index, size = this.leaves.length) {
    return inclusionNodes(index, size).map((nodes) => this.hashOf(nodes));
  }

  /** @param {number} size1 @param {number} [size2] */
  consistency(size1, size2 = this.leaves.length) {
    return consistencyNodes(size1, size2).map((nodes) => this.hashOf(nodes));
  }

  /** @param {TreeNode[]} nodes */
  hashOf(nodes) {
    const complete = nodes.map(({ level, index }) =>
      treeRoot(this.leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
    );
    return foldNodes(complete);
  }

  /**
   * The proof file of an entry.
   * @param {number} index
   * @param {string} [checkpoint]
   * @param {Partial<LogProof>} [changes]
   */
  proof(index, checkpoint = this.checkpoint(), changes = {}) {
    return writeLogProof({
      extra: utf8(this.entries[index]),
      index,
      proof: this.inclusion(index),
      checkpoint,
      ...changes,
    });
  }
}

export const witnesses = [1, 2, 3].map((n) => cosigner(`witness${n}.example/w`, person(`witness ${n}`).secret));
export const witnessLines = witnesses.map(({ key }, n) => `witness w${n + 1} ${writeVerifierKey(key)}`);

/**
 * Two of three witnesses.
 * @param {Pick<Log, 'key'>} log
 */
export const policyOf = (log) =>
  [`log ${log.key}`, ...witnessLines, 'group all-of-them 2 w1 w2 w3', 'quorum all-of-them', ''].join('\n');
/**
 * The log alone.
 * @param {Pick<Log, 'key'>} log
 */
export const logAlone = (log) => `log ${log.key}\nquorum none\n`;

/** Links and patches as feeds answer them. */
export function feed() {
  const links = linksOf(alice, [{}, { platform: 'github', identity: 'alice' }, { action: 'delete' }]);
  const patches = patchesOf(alice, [{ patch: { name: 'Alice', 10: 1, 9: 2 } }, { patch: { name: null } }]);
  return { links: numbered(links, 11), patches: numbered(patches, 11) };
}
