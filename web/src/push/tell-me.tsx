import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { lazy } from '../shell/lazy.js';
import { keptPush } from './kept-push.js';

const PushPanel = lazy(() => import('./push-panel.js'));

/** Whether the server tells browsers of changes, as the document says. */
const isOffered = () => document.querySelector<HTMLMetaElement>('meta[name="signet-push"]')?.content === 'on';

/**
 * "Tell me when anything changes here": one press, and this browser is told by Web Push. Nothing is loaded before the
 * press, unless this browser is told of the key already. Nothing is shown where the server tells no browsers.
 */
export function TellMe({ avatar }: { avatar: string }) {
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<Promise<NotificationPermission> | null>(null);
  useEffect(() => void keptPush(avatar).then((kept) => kept && setOpen(true)), [avatar]);
  if (!isOffered()) return null;
  // Browsers want to be asked in the very moment of the press, before anything is loaded.
  const press = () => {
    setAsked('Notification' in window ? Notification.requestPermission() : Promise.resolve('denied'));
    setOpen(true);
  };
  return (
    <div class="tell-me">
      {isOpen ? (
        <PushPanel avatar={avatar} asked={asked} />
      ) : (
        <button type="button" onClick={press}>
          {t('look.tell_me')}
        </button>
      )}
    </div>
  );
}
