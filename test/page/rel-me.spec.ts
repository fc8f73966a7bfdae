import { parse } from 'parse5';
import { DataSource } from 'typeorm';
import { anAvatar } from '../support/avatar.js';
import { GITHUB, type Scene, startScene } from './scene.js';

type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[] };

/**
 * Mastodon's rule, rebuilt from app/services/verify_link_service.rb: a GET that accepts text/html and gets 200, of
 * which the first megabyte counts; an `a` or `link` whose `rel` has the word `me` and whose `href` is the address of
 * the profile, but for letter case. No redirect is followed, and no script runs.
 */
async function isVerifiedByMastodon(field: string, profile: string): Promise<boolean> {
  const answer = await fetch(field, { headers: { accept: 'text/html' }, redirect: 'manual' });
  if (answer.status !== 200) return false;
  const html = (await answer.text()).slice(0, 1024 * 1024);
  return relMe(parse(html) as Node).some((href) => href.toLowerCase() === profile.toLowerCase());
}

function relMe(node: Node): string[] {
  const attribute = (name: string) => node.attrs?.find((one) => one.name === name)?.value ?? '';
  const isLink = ['a', 'link'].includes(node.nodeName) && attribute('rel').split(/\s+/).includes('me');
  return [...(isLink ? [attribute('href')] : []), ...(node.childNodes ?? []).flatMap(relMe)];
}

describe('the page of a key, as other services read it', () => {
  let scene: Scene;
  let page: string;
  const profile = 'https://social.demo-instance.org/@alice';
  beforeAll(async () => {
    scene = await startScene();
    page = `${scene.baseUrl}/a/${scene.alice.avatar}`;
  });
  afterAll(() => scene?.close());

  const linked = async (address = page) =>
    relMe(parse(await (await fetch(address, { headers: { accept: 'text/html' } })).text()) as Node);
  const invalidate = (platform: string, isValid: boolean) =>
    scene.running.app
      .get(DataSource)
      .query('update proof set is_valid = $2, invalid_reason = $3 where platform = $1', [
        platform,
        isValid,
        isValid ? '' : 'gone',
      ]);

  it('gets the tick of Mastodon', async () => {
    const [seen] = (await linked()).filter((href) => href.includes('@'));

    expect(seen).toBe(profile);
    expect(await isVerifiedByMastodon(page, profile)).toBe(true);
  });

  it('gets no tick for an address that is nearly the same, or for somebody else', async () => {
    expect(await isVerifiedByMastodon(page, `${profile}/`)).toBe(false);
    expect(await isVerifiedByMastodon(page, profile.replace('alice', 'bob'))).toBe(false);
    expect(await isVerifiedByMastodon(`${scene.baseUrl}/a/${anAvatar('mallory').key.compressed}`, profile)).toBe(false);
  });

  it('names the accounts that are bound now, and no wallet, no revoked and no lost one', async () => {
    const github = `https://github.com/${GITHUB}`;

    expect(await linked()).toEqual([profile, github]);
    await invalidate('github', false);
    expect(await linked()).toEqual([profile]);
    await invalidate('github', true);
    expect(await linked()).toEqual([profile, github]);
  });

  it('names none on the page of a binding, which several keys may have', async () => {
    expect(await linked(`${scene.baseUrl}/p/github/${GITHUB}`)).toEqual([]);
  });
});
