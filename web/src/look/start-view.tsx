import { t } from '../i18n/i18n.js';
import { useTitle } from '../shell/frame.js';
import { SearchField } from './search-field.js';

/** `/`: the search field, and what it found when `?q=` says what to look for. */
export default function StartView() {
  useTitle('');
  return (
    <>
      <h1>{t('look.start_title')}</h1>
      <SearchField text="" />
    </>
  );
}
