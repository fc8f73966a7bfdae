import type { Platform } from '@signet/sdk';
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { keyFor, rich, t } from '../i18n/i18n.js';
import { Identity, platformName } from '../parts/names.js';
import { useServiceName } from '../shell/platforms.js';

/** Steps that the page does itself, or that stand beside them as buttons and fields. */
const OWN_STEPS = 1;

/**
 * What a person does on a platform, in the language of the page: in the words of `bind.how_<platform>` where all
 * languages have them, else in general ones. The server's own steps (English) are folded away behind the former, and
 * open behind the latter, which say less.
 */
export function PlatformSteps({ platform, identity }: { platform: Platform; identity: string }) {
  const service = useServiceName();
  const own = keyFor('bind.how_', platform.platform);
  const key = own ?? (platform.needs_proof_location ? 'bind.publish_post' : 'bind.publish_record');
  const values: Record<string, ComponentChildren> = {
    identity: identity === '' ? '…' : <Identity name={identity} />,
    platform: platformName(platform.platform),
    service: <code>{service ?? '…'}</code>,
  };
  return (
    <div class="platform-steps">
      <Picture platform={platform} identity={identity} service={service ?? ''} />
      <p>{rich(key, values)}</p>
      <p>{t('bind.keep_it')}</p>
      <details open={own === null}>
        <summary>{t('bind.server_words')}</summary>
        <ol class="steps-of-platform" lang="en">
          {platform.steps
            .slice(OWN_STEPS)
            .filter((step) => !step.includes('%SIG_BASE64%'))
            .map((step) => (
              <li key={step}>{step}</li>
            ))}
        </ol>
      </details>
    </div>
  );
}

interface PictureProps {
  platform: Platform;
  /** Empty while the person has named none. */
  identity: string;
  /** Empty while it is not known. */
  service?: string;
  isWallet?: boolean;
}

/** A drawing of what is done there, loaded when it is shown. The words beside it say all of it. */
export function Picture({ platform, identity, service = '', isWallet = false }: PictureProps) {
  const [Drawing, setDrawing] = useState<FunctionComponent<Required<PictureProps>> | null>(null);
  useEffect(() => {
    import('./platform-drawing.js').then(
      (module) => setDrawing(() => module.PlatformDrawing),
      // Drawings are ornaments, so steps stand alone without one.
      () => {},
    );
  }, []);
  if (!Drawing) return null;
  const named = identity === '' ? platform.identity_example : identity;
  return <Drawing platform={platform} identity={named} service={service} isWallet={isWallet} />;
}
