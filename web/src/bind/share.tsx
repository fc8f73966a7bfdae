import { useId } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { CopyButton } from '../parts/copy-button.js';
import { API_URL } from '../shell/service.js';
import { identityPath } from '../shell/router.js';

/** A binding as others may show it: its badge, and what to put into a page or a README. */
export function Share({ platform, identity, avatar }: { platform: string; identity: string; avatar: string }) {
  // A page that is deployed apart from its service may show pictures of its own origin alone.
  const isOwnOrigin = new URL(API_URL).origin === location.origin;
  const path = `${encodeURIComponent(platform)}/${encodeURIComponent(identity)}`;
  const badge = `${API_URL}/badge/${path}.svg`;
  const page = API_URL + identityPath(platform, identity);
  const element = `<script type="module" src="${API_URL}/embed.js"></script>\n<signet-proof\n  platform="${platform}"\n  identity="${attribute(identity)}"\n  avatar="${avatar}"\n></signet-proof>`;
  const image = `<a href="${page}"><img src="${badge}" alt="${attribute(`${identity} on ${platform}, by Signet`)}"></a>`;
  const markdown = `[![${identity.replace(/[[\]\\]/g, '\\$&')} on ${platform}, by Signet](${badge})](${page})`;
  return (
    <div class="share">
      {isOwnOrigin && (
        <picture>
          <source media="(prefers-color-scheme: dark)" srcset={`${badge}?theme=dark`} />
          <img class="badge" src={badge} alt={t('bind.badge')} height="32" />
        </picture>
      )}
      <Snippet name={t('bind.snippet_element')} text={element} />
      <Snippet name="HTML" text={image} />
      <Snippet name="Markdown" text={markdown} />
    </div>
  );
}

function Snippet({ name, text }: { name: string; text: string }) {
  const id = useId();
  return (
    <div class="snippet">
      <label for={id}>{name}</label>
      <textarea id={id} readOnly rows={text.split('\n').length + 2} value={text} dir="ltr" spellcheck={false} />
      <CopyButton text={text} label={t('bind.copy_snippet', { name })} />
    </div>
  );
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
