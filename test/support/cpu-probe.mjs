/**
 * Loaded into a service by `NODE_OPTIONS=--import`: on SIGUSR2 it says how much processor time its process has used.
 */
process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`cpu-probe ${user + system} us\n`);
});
