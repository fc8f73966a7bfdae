/**
 * For the environment of a service in a process of its own: SIGUSR2 makes its clock jump by up to an hour, ahead or
 * back, from then on.
 */
export const WITH_JUMPING_CLOCK = {
  NODE_OPTIONS: `--import=${`data:text/javascript,
  const RealDate = Date; let ahead = 0;
  globalThis.Date = class extends RealDate {
    constructor(...given) { if (given.length === 0) super(RealDate.now() + ahead); else super(...given); }
    static now() { return RealDate.now() + ahead; }
  };
  process.on('SIGUSR2', () => { ahead = Math.round((2 * Math.random() - 1) * 3600000); });`.replaceAll(/\s+/g, '%20')}`,
};

/** For such an environment: a clock that is `ms` milliseconds ahead (or back, where negative) all the time. */
export function withClockAhead(ms: number): { NODE_OPTIONS: string } {
  return {
    NODE_OPTIONS: `--import=${`data:text/javascript,
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) { if (given.length === 0) super(RealDate.now() + (${ms})); else super(...given); }
    static now() { return RealDate.now() + (${ms}); }
  };`.replaceAll(/\s+/g, '%20')}`,
  };
}
