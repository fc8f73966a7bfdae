/** A kind of job: its name, what it carries, and how stubborn it is. Times in seconds. */
export interface JobQueue<Data extends object> {
  name: string;
  /** Tries after the first one, before the job becomes a dead letter. */
  retries: number;
  /** First delay between tries; doubles each time, with jitter, up to the longest. */
  retryDelaySeconds: number;
  longestDelaySeconds: number;
  /** A run that takes longer counts as failed, also when its server died. */
  expireSeconds: number;
  /** Carries the type of the data; never set. */
  data?: Data;
}

const DEAD = '.dead';

/** Name of the queue that keeps what failed for good in the queue `name`. */
export function deadLetterQueue(name: string): string {
  return `${name}${DEAD}`;
}

/** The queue that a dead letter came from. */
export function queueOfDeadLetters(name: string): string {
  return name.slice(0, -DEAD.length);
}
