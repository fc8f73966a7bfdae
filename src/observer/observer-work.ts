/** The name under which other servers of Signet have a rate, as platforms have. */
export const SIGNET = 'signet';
/** Name of the queue of bindings, as operators and metrics know it. */
export const LOOK_QUEUE = 'look';

/** A base URL as feeds are stored by it: without a slash at the end. */
export function feedUrl(url: string): string {
  return url.replace(/\/+$/, '');
}
