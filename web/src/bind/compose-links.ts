/** The page of a platform on which a person writes a post; with the text in it where the platform takes one. */
export function composeLink(platform: string, identity: string, text: string): string | null {
  switch (platform) {
    case 'twitter':
      return `https://x.com/intent/post?text=${encodeURIComponent(text)}`;
    case 'github':
      return 'https://gist.github.com/';
    case 'minds':
      return 'https://www.minds.com/newsfeed/subscriptions/latest';
    case 'discord':
      return 'https://discord.com/channels/@me';
    case 'dotbit':
      return 'https://d.id/';
    case 'activitypub':
      return shareLink(identity, text);
    default:
      return null;
  }
}

/** `user@host`; Mastodon and others take a text at /share. */
function shareLink(identity: string, text: string): string | null {
  const host = identity.split('@').at(-1) ?? '';
  return /^[a-z0-9.-]+$/i.test(host) ? `https://${host}/share?text=${encodeURIComponent(text)}` : null;
}

/** The name that the file with the text must have, where a platform wants one. */
export function fileName(platform: string, avatar: string): string | null {
  if (platform === 'github') return `${avatar}.json`;
  return platform === 'keybase' ? `${avatar}.txt` : null;
}
