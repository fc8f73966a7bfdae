/** The name under which other servers of Signet have a rate, as platforms have. */
export const SIGNET = 'signet';
/** Name of the queue of bindings, as operators and metrics know it. */
export const LOOK_QUEUE = 'look';

/** By how much a look waits, as an interval of SQL, where another server shows the link at the same place. */
export const TWIN_DELAY = '5 minutes';

/** An address as it is logged and answered: without the user name and the password that it may hold. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return '';
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  [url.username, url.password] = ['', ''];
  return feedUrl(url.href);
}

/** A base URL as feeds are stored by it: without a slash at the end. */
export function feedUrl(url: string): string {
  return url.replace(/\/+$/, '');
}
