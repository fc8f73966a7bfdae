import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { Foldable } from '../keys/foldable.js';
import type { KeyInUse } from '../keys/key-in-use.js';
import { PasskeySection } from '../keys/passkey-section.js';
import { passkeySupport } from '../keys/passkey-support.js';

/** A key by fingerprint, where the browser has such keys; else nothing. */
export function PasskeyWay({ canBeNew, onKey }: { canBeNew: boolean; onKey: (key: KeyInUse) => void }) {
  const [isThere, setThere] = useState(false);
  useEffect(() => void passkeySupport().then((support) => setThere(support !== 'none')), []);
  if (!isThere) return null;
  return (
    <Foldable title={t('bind.passkey')}>
      <PasskeySection canBeNew={canBeNew} isFirst={false} onMissing={() => setThere(false)} onKey={onKey} />
    </Foldable>
  );
}
