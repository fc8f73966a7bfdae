import type { ComponentChildren } from 'preact';
import { t } from '../i18n/i18n.js';
import { cutInTheMiddle } from '../parts/names.js';

/** How a recovery key that is public begins. */
const PUBLIC = 'eip155:';

/** What is known of a recovery key: the address of a wallet, or nothing but a digest. */
export function RecoveryName({ name }: { name: string }) {
  if (!name.startsWith(PUBLIC)) {
    return (
      <>
        {t('recovery.kind_words')} <code title={name}>{cutInTheMiddle(name, 18)}</code>
      </>
    );
  }
  const address = name.slice(PUBLIC.length);
  return (
    <>
      {t('recovery.kind_wallet')} <code title={address}>{cutInTheMiddle(address, 18)}</code>
    </>
  );
}

/** Recovery keys in their order, the highest first, with what can be done with each. */
export function RecoveryKeys({
  names,
  deeds,
}: {
  names: readonly string[];
  deeds?: (name: string, place: number) => ComponentChildren;
}) {
  return (
    <ol class="recovery-keys">
      {names.map((name, place) => (
        <li key={name}>
          <span>
            <RecoveryName name={name} />
            {place === 0 && names.length > 1 && (
              <>
                {' '}
                <span class="tag">{t('recovery.highest')}</span>
              </>
            )}
          </span>
          {deeds?.(name, place)}
        </li>
      ))}
    </ol>
  );
}
