import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';

/* Questions between the primary, the process that supervises the workers, and its workers (setting WORKERS). */

/** The process that a question goes to: a worker, or the primary from a worker. */
type Peer = Worker | 'primary';

/** A question, or the answer to it, which has its id and no name. */
interface Message {
  id: string;
  name?: string;
  content: unknown;
}

/** The worker that was asked has ended, or there was no answer in time. */
export class NoAnswerError extends Error {}

/** Asks another process and waits for its answer, at most `ms` milliseconds. @throws NoAnswerError */
export function ask<Answer>(peer: Peer, name: string, ms: number, content?: unknown): Promise<Answer> {
  const id = randomUUID();
  const channel = channelTo(peer);
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      channel.off('message', listen).off('exit', giveUp);
    };
    const giveUp = (): void => {
      end();
      reject(new NoAnswerError(`There is no answer to "${name}".`));
    };
    const listen = (message: unknown): void => {
      const answer = message as Message;
      if (answer.id !== id || answer.name !== undefined) return;
      end();
      resolve(answer.content as Answer);
    };
    const timer = setTimeout(giveUp, ms);
    channel.on('message', listen).on('exit', giveUp);
    send(peer, { id, name, content });
  });
}

/** Answers all questions of this name with what `work` returns or resolves to; it must not throw. */
export function answer<Content>(name: string, work: (content: Content, asker: Peer) => unknown): void {
  const listen = async (asker: Peer, { id, name: asked, content }: Message): Promise<void> => {
    if (asked === name) send(asker, { id, content: await work(content as Content, asker) });
  };
  if (cluster.isPrimary) cluster.on('message', (worker, message: Message) => void listen(worker, message));
  else process.on('message', (message: Message) => void listen('primary', message));
}

function send(peer: Peer, message: Message): void {
  const channel = channelTo(peer);
  // A process that has just ended is no error; who asked it notices.
  if (channel.connected) channel.send(message, () => {});
}

/** Both ends of the channel have the same methods. */
function channelTo(peer: Peer): Pick<ChildProcess, 'on' | 'off' | 'send' | 'connected'> {
  return peer === 'primary' ? (process as unknown as ChildProcess) : peer.process;
}
