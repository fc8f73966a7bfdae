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
