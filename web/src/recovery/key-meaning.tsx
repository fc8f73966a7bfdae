import { rich, t } from '../i18n/i18n.js';
import { KeyLink, Span } from './words.js';

/** Members of a signed text about keys that its sentence names. */
interface SaidFields {
  action?: unknown;
  recovery?: unknown[];
  delay_hours?: number;
  successor?: string;
}

/** What a text about keys says, in a sentence. It is read from the text itself, not from what was asked for. */
export function KeyMeaning({ text }: { text: string }) {
  return <p class="meaning">{sentenceOf(JSON.parse(text) as SaidFields)}</p>;
}

function sentenceOf({ action, recovery = [], delay_hours: hours = 0, successor = '' }: SaidFields) {
  switch (action) {
    case 'key.commit':
      return rich('recovery.says_commit', { count: recovery.length, span: <Span hours={hours} /> });
    case 'key.succeed':
      return rich('recovery.says_succeed', { key: <KeyLink avatar={successor} /> });
    case 'key.freeze':
      return t('recovery.says_freeze');
    case 'key.thaw':
      return t('recovery.says_thaw');
    case 'key.veto':
      return t('recovery.says_veto');
    case 'key.revoke':
      return t('recovery.says_revoke');
    default:
      return <span lang="en">{String(action)}</span>;
  }
}
