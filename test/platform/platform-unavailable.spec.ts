import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar } from '../support/avatar.js';
import { expectRefusal } from '../support/refusals.js';
import { jsonReply } from '../../packages/look/test/support/stand-in-server.js';

const alice = anAvatar('alice');

describe('a create on a platform that asks for fewer requests', () => {
  let world: GistWorld;

  beforeAll(async () => {
    world = await startGistWorld();
  });
  afterAll(() => world.close());

  it('is refused with the time after which the platform wants to be asked again', async () => {
    world.github.handle(() => jsonReply({ message: 'slow down' }, 429, { 'retry-after': '120' }));
    const names = { action: 'create', platform: 'github', identity: 'alice-demo', public_key: alice.key.compressed };
    const { uuid, created_at } = (await world.app.post('/v1/proof/payload', names)).body;

    const answer = await world.app.post('/v1/proof', { ...names, uuid, created_at, proof_location: 'abcdef' });

    expectRefusal(answer, { code: 'platform_unavailable', message: 'asks for fewer requests' });
    expect(answer.headers.get('Retry-After')).toBe('120');
  });
});
