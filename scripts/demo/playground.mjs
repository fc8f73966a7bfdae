import { startOwnServer } from './own-server.mjs';
import { STAND_IN_PLATFORMS, startPlatforms } from './stand-in-platforms.mjs';

/** Public in this file, which is harmless on loopback for an hour. */
const ADMIN_TOKEN = 'playground-admin-token-0000';

/**
 * A server with stand-ins of the platforms that stays until Ctrl-C, for the walks of docs/guide: an account can be
 * bound there without having one. `PORT` (3000) is that of the server, `PLATFORMS_PORT` (3001) that of the stand-ins.
 */
export async function playground() {
  const { PORT = '3000', PLATFORMS_PORT = '3001', DATABASE_URL = '' } = process.env;
  const world = await startPlatforms({ port: Number(PLATFORMS_PORT), answersPublish: true });
  const server = await startOwnServer(
    { ...world.env, PORT, DATABASE_URL, ADMIN_TOKEN, WEBHOOK_ALLOW_PRIVATE: 'on', RATE_LIMIT: 'off' },
    world.transport,
    world.baseUrl,
  );
  const accounts = STAND_IN_PLATFORMS.map((name) => {
    const { identity, location } = world.describe(name);
    return `    ${name.padEnd(12)} ${identity}${location ? `   proof_location ${location}` : ''}`;
  });
  console.log(`
  The playground is ready; Ctrl-C ends it, and everything in it is gone.

    Service     ${server.baseUrl}        ADMIN_TOKEN=${ADMIN_TOKEN}
    Platforms   ${world.baseUrl}

  To publish a text in the name of an account, send it to the stand-in of its platform:

    curl --data-binary @text ${world.baseUrl}/publish/github?avatar=0x...

  Accounts:
${accounts.join('\n')}
`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await server.close();
  await world.close();
}
