/** The symbols of two files (web/platform-icons.mjs): what the first view shows is not in the second. */
const DRAWN = new Set([
  'activitypub',
  'discord',
  'dns',
  'dotbit',
  'ethereum',
  'github',
  'keybase',
  'minds',
  'solana',
  'twitter',
]);
const FURTHER_DRAWN = new Set([
  'bluesky',
  'discourse',
  'forgejo',
  'gitlab',
  'hackernews',
  'lobsters',
  'nostr',
  'orcid',
  'steam',
  'website',
]);

/** The icon of a platform, in the colour of the text. Its name always stands beside it. */
export function PlatformIcon({ platform, size = 20 }: { platform: string; size?: number }) {
  const symbol = FURTHER_DRAWN.has(platform)
    ? `/further-platform-icons.svg#${platform}`
    : `/platform-icons.svg#${DRAWN.has(platform) ? platform : 'other'}`;
  return (
    <svg class="platform-icon" width={size} height={size} aria-hidden="true">
      <use href={symbol} />
    </svg>
  );
}
