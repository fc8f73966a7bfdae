import { connect, createServer, type Socket } from 'node:net';

/** A simple query of the PostgreSQL protocol: type, length, text, zero. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');
/** What the database answers to it, behind the answers of the statements in front of it in one piece or more. */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

/** How the next commit goes wrong. */
type Cut = 'before it arrives' | 'after it is done';

/** Stands between the service and its database, and takes away connections at a commit. */
export interface CommitCutter {
  /** Of the database, through this. */
  url: string;
  /** The commit of the transaction that writes the item with this uuid takes its connection with it. */
  cutCommitOf(uuid: string, cut: Cut): void;
  /** Whether that has happened. */
  hasCut(): boolean;
  /** Refuses new connections and ends the open ones. */
  shut(): void;
  /** Undoes that. */
  open(): void;
  close(): Promise<void>;
}

export async function startCommitCutter(target: string): Promise<CommitCutter> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let planned: { row: string; cut: Cut } | null = null;
  let isShut = false;
  const server = createServer((near) => {
    if (isShut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    let [isWriting, isAnswerCut] = [false, false];
    near.on('data', (bytes) => {
      if (planned && bytes.includes(planned.row)) isWriting = true;
      if (planned && isWriting && bytes.includes(COMMIT)) {
        const { cut } = planned;
        planned = null;
        if (cut === 'before it arrives') return void near.destroy();
        isAnswerCut = true;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => (isAnswerCut && bytes.includes(COMMITTED) ? near.destroy() : near.write(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  const endAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    // Rows go to the database as JSON.
    cutCommitOf: (uuid, cut) => (planned = { row: `"uuid":"${uuid}"`, cut }),
    hasCut: () => planned === null,
    shut: () => {
      isShut = true;
      endAll();
    },
    open: () => (isShut = false),
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
