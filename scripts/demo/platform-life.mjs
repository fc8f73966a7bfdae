import { confirm, explain } from './conversation.mjs';
import { verifyLink } from '@signet/verify';

/**
 * @import { SignedLink } from '@signet/verify'
 * @import { Call } from './conversation.mjs'
 * @import { Key } from './keys.mjs'
 * @import { StandInPlatforms } from './stand-in-platforms.mjs'
 */

/**
 * Binds an identity that is proved by a post or record: payload, signature, post, submit, evidence, revoke.
 * @param {Call} call
 * @param {Key} avatar
 * @param {string} platform
 * @param {StandInPlatforms} world
 */
export async function platformLife(call, avatar, platform, world) {
  const { identity, location, act } = world.describe(platform);
  const link = { platform, identity, public_key: avatar.publicKey };
  const binding = `platform=${platform}&identity=${encodeURIComponent(identity)}&public_key=${avatar.publicKey}`;

  explain(
    `Ask for the payload on ${platform}`,
    'The answer holds the text to sign, and the texts to publish in several languages.',
  );
  const payload = await call('POST', '/v1/proof/payload', { body: { action: 'create', ...link } });
  const text = payload.post_content.default.replace('%SIG_BASE64%', avatar.sign(payload.sign_payload));

  explain(
    'Publish',
    `The signature takes the place of %SIG_BASE64%; then the person would ${act}. Here a stand-in on this machine keeps it:`,
  );
  console.log(`\n${text.replace(/^/gm, '    | ')}`);
  world.publish(platform, text, avatar.publicKey);

  explain('Submit', 'The service asks the platform, compares the author and verifies the signature over its own text.');
  const { uuid, created_at } = payload;
  await call('POST', '/v1/proof', {
    body: { action: 'create', ...link, uuid, created_at, ...(location && { proof_location: location }) },
    expected: 201,
  });
  const state = await call('GET', `/v1/proof/exists?${binding}`);
  confirm(state.is_valid, `${identity} on ${platform} is bound`);

  explain(
    'Look at the evidence',
    'What was seen is kept, so that the proof stays explicable when the platform is gone.',
  );
  const evidence = await call('GET', `/v1/proof/evidence?${binding}`);
  confirm(/^[0-9a-f]{64}$/.test(evidence.sha256), 'the hash of what was read is there');
  const { proof_chain: links } = await call('GET', `/v1/proofchain?public_key=${avatar.publicKey}`, { quiet: true });
  const stored = links.find((/** @type {SignedLink} */ other) => other.uuid === uuid);
  confirm(
    verifyLink(stored, { avatar: avatar.publicKey }).ok,
    'the signature from the post is in the chain, and verifies here',
  );

  explain('Revoke', 'One signature of the Avatar; the platform is not asked, and the person may delete the post.');
  const farewell = await call('POST', '/v1/proof/payload', { body: { action: 'delete', ...link }, quiet: true });
  const extra = { signature: avatar.sign(farewell.sign_payload) };
  await call('POST', '/v1/proof', {
    body: { action: 'delete', ...link, uuid: farewell.uuid, created_at: farewell.created_at, extra },
    expected: 201,
  });
  const after = await call('GET', `/v1/proof/evidence?${binding}`, { quiet: true });
  confirm(
    after.matched_text === '' && after.sha256 === evidence.sha256,
    'the text is erased from the evidence, the hash stays',
  );
}
