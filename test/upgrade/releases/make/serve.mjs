/**
 * A released version in a process of its own, from its own tree, whose names lead to stand-ins on loopback: the public
 * interface of the service, with the seam that its own tests and demo use. Standard settings come from the environment.
 *
 * `argv[2]` is JSON: `tree`, the folder of the version; `hosts`, the ports of names; `certificateAuthority`, PEM;
 * `aheadMs`, by how much its clock is ahead of the true time. A message `{ aheadMs }` sets that clock anew.
 */
import { connectorTo } from '../../../../packages/look/test/support/led-connector.mjs';

const RealDate = Date;
const given = JSON.parse(process.argv[2]);
let { aheadMs } = given;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + aheadMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
};

const names = Object.keys(given.hosts);
/** Public, never contacted; the guard judges it as any other. */
const addressOf = (name) => `93.184.215.${names.indexOf(name) + 1}`;
const leads = (address, port) => {
  const name = names.find((each) => addressOf(each) === address);
  return { host: '127.0.0.1', port: name ? given.hosts[name] : port };
};
const transport = {
  certificateAuthority: given.certificateAuthority,
  lookup: async (name) => {
    if (!names.includes(name)) throw new Error(`the stand-ins know no host ${name}`);
    return [addressOf(name)];
  },
  // As 0.3.0 takes it, and as versions before.
  connector: connectorTo(leads),
  connect: leads,
};

const built = (file) => import(`file://${given.tree}/dist/src/${file}`);
// What the main file of each version imports first; from its own packages.
await import(`file://${given.tree}/node_modules/reflect-metadata/Reflect.js`);
const { loadEnvironment } = await built('config/environment.js');
const { openDatabase } = await built('database/database.js');
// The place of 0.2.0, and that of 0.1.0.
const { migrate } = await built('database/schema/migrator.js').catch(() => built('database/migrator.js'));
const { createApplication } = await built('application.js');

const environment = loadEnvironment(process.env);
const database = await openDatabase(environment);
await migrate(database.directUrl);
const app = await createApplication(environment, database, transport);
await app.listen(0, '127.0.0.1');

process.on('message', (message) => {
  aheadMs = message.aheadMs;
  process.send({ aheadMs });
});
process.on('SIGTERM', async () => {
  await app.close();
  await database.close();
  process.exit(0);
});
process.on('disconnect', () => process.exit(1));
process.send({ port: app.getHttpServer().address().port });
