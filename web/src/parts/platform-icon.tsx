/** The symbols that /platform-icons.svg has (web/platform-icons.mjs). */
const DRAWN = new Set([
  'activitypub',
  'bluesky',
  'discord',
  'dns',
  'dotbit',
  'ethereum',
  'github',
  'gitlab',
  'hackernews',
  'keybase',
  'minds',
  'nostr',
  'solana',
  'twitter',
  'website',
]);

/** The icon of a platform, in the colour of the text. Its name always stands beside it. */
export function PlatformIcon({ platform, size = 20 }: { platform: string; size?: number }) {
  return (
    <svg class="platform-icon" width={size} height={size} aria-hidden="true">
      <use href={`/platform-icons.svg#${DRAWN.has(platform) ? platform : 'other'}`} />
    </svg>
  );
}
