/** Decimal text of the whole seconds since 1970. */
export function unixSecondsText(time: Date): string {
  return String(Math.floor(time.getTime() / 1000));
}
