import type { PlatformVerifier } from '../../packages/look/src/platform-verifier.js';
import { PlatformService } from '../../src/platform/platform.service.js';
import type { RunningApp } from './app.js';
import type { TestAvatar } from './avatar.js';

/** What was published, by the text that was signed. */
const signatures = new Map<string, string>();

/** The name of a platform that no release of this service has. */
export const NEW_PLATFORM = 'penpals';

/** Adds a platform to `app`, once, on which everybody shows what they claim, and binds `identity` there. */
export async function bindOnNewPlatform(
  { app, post }: Pick<RunningApp, 'app' | 'post'>,
  avatar: TestAvatar,
  identity: string,
): Promise<void> {
  const verifier: PlatformVerifier = {
    platform: NEW_PLATFORM,
    publishes: 'record',
    guide: { label: 'Pen Pals', identityPattern: '.', identityExample: 'alice', locationForms: [], steps: ['a', 'b'] },
    canonicalIdentity: (text) => text.toLowerCase(),
    postContent: () => ({ default: '%SIG_BASE64%' }),
    verify: ({ signPayload }) => Promise.resolve({ valid: true, signature: signatures.get(signPayload)! }),
  };
  const platforms = app.get(PlatformService);
  if (!platforms.names().includes(NEW_PLATFORM)) platforms.add(verifier);
  const link = { action: 'create', platform: NEW_PLATFORM, identity, public_key: avatar.key.compressed };
  const { uuid, created_at, sign_payload } = (await post('/v1/proof/payload', link)).body as Record<string, string>;
  signatures.set(sign_payload!, avatar.sign(sign_payload!));
  const { status } = await post('/v1/proof', { ...link, uuid, created_at });
  if (status !== 201) throw new Error(`${identity} was not bound: ${status}`);
}
