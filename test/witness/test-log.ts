import { appendLeaves, consistencyFromTiles, type ReadTiles, writeWitnessRequest } from '@signet/verify/internal/log';
import { leafHash, treeRoot, writeVerifierKey } from '@signet/verify/log';
import { type NoteSigner, noteSigner, signCheckpoint } from '@signet/verify/log-sign';

/** A log in memory that signs whatever a test asks for: also trees that contradict each other. */
export class TestLog {
  readonly signer: NoteSigner;
  private readonly leaves: Uint8Array[] = [];

  constructor(
    readonly origin: string,
    private readonly seed = 5,
    entries: string[] = [],
  ) {
    this.signer = noteSigner(origin, new Uint8Array(32).fill(seed));
    for (const entry of entries) this.add(entry);
  }

  get verifierKey(): string {
    return writeVerifierKey(this.signer.key);
  }

  get size(): number {
    return this.leaves.length;
  }

  add(entry: string): void {
    this.leaves.push(leafHash(new TextEncoder().encode(entry)));
  }

  /** Another log of the same name and key that begins with the same entries. */
  branch(entry: string): TestLog {
    const branch = new TestLog(this.origin, this.seed);
    branch.leaves.push(...this.leaves);
    branch.add(entry);
    return branch;
  }

  root(size = this.size): Uint8Array {
    return treeRoot(this.leaves.slice(0, size));
  }

  checkpoint(size = this.size): string {
    return signCheckpoint({ origin: this.origin, size, root: this.root(size) }, this.signer);
  }

  /** The body of a request to a witness that knows `oldSize`. */
  async request(oldSize: number, size = this.size): Promise<string> {
    return writeWitnessRequest({ oldSize, proof: await this.proof(oldSize, size), checkpoint: this.checkpoint(size) });
  }

  async proof(oldSize: number, size = this.size): Promise<Uint8Array[]> {
    const { tiles } = await appendLeaves(0, this.leaves.slice(0, size), async () => []);
    const readTiles: ReadTiles = async (wanted) =>
      wanted.map(({ level, number }) => tiles.find((tile) => tile.level === level && tile.number === number)!.hashes);
    return consistencyFromTiles(oldSize, size, readTiles);
  }
}
