import { sealPathOfDigest } from '@signet/verify/seal-of-digest';
import { t } from '../i18n/i18n.js';
import { cutInTheMiddle, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { SealDrawing } from '../parts/seal-drawing.js';
import facts from '../verify/example-facts.json';

/** Drawn from the hash of the key as it was written down, because a hash function is much code for one seal. */
const SEAL = sealPathOfDigest(Uint8Array.from(facts.digest.match(/../g)!, (byte) => parseInt(byte, 16)));

/** A seal with the accounts behind it: the example, which a click opens and checks. */
export function ExampleCard() {
  return (
    <a class="example-card" href="/example">
      <span class="tag">{t('look.example_tag')}</span>
      <span class="example-key">
        <SealDrawing path={SEAL} size={96} />
        <strong>{facts.name}</strong>
      </span>
      <span class="threads">
        <svg viewBox="0 0 40 100" preserveAspectRatio="none" aria-hidden="true">
          {[11, 37, 63, 89].map((y) => (
            <path key={y} d={`M0 40C22 40 18 ${y} 40 ${y}`} />
          ))}
        </svg>
      </span>
      <ul>
        {facts.accounts.map(({ platform, identity }) => (
          <li key={platform}>
            <PlatformIcon platform={platform} />
            <span class="only-read">{platformName(platform)}</span>
            <bdi>{identity.length > 20 ? cutInTheMiddle(identity, 14) : identity}</bdi>
          </li>
        ))}
      </ul>
      <span class="example-more">{t('look.example_look')}</span>
    </a>
  );
}
