import { isPicture } from '@signet/sdk';
import { t } from '../i18n/i18n.js';
import { cutInTheMiddle, Seen } from './names.js';
import { ProfilePicture } from './profile-head.js';

/** Pictures that a page draws of content: each takes up to 1 MB of memory, and an entry has room for thousands. */
const MAX_PICTURES = 12;

/** How many pictures each of these contents may draw, so that all of them together draw a bounded number. */
export function shareOutPictures(contents: readonly object[]): number[] {
  let left = MAX_PICTURES;
  return contents.map((content) => {
    const share = Math.min(left, readJson(content).pictures.length);
    left -= share;
    return share;
  });
}

/** Content without one of its members. */
export function withoutMember(content: object, name: string): object {
  return Object.fromEntries(Object.entries(content).filter(([member]) => member !== name));
}

/** Content as names and values; what is not a text is JSON. `pictures` is how many of its pictures are drawn. */
export function ValueList({ content, pictures: share }: { content: object; pictures: number }) {
  let left = share;
  return (
    <dl class="value-list">
      {Object.entries(content).map(([name, value]: [string, unknown]) => {
        const { text, pictures } = readJson(value);
        const drawn = pictures.slice(0, left);
        left -= drawn.length;
        return (
          <div key={name}>
            <dt>
              <bdi>
                <Seen text={name} />
              </bdi>
            </dt>
            <dd>
              {typeof value === 'string' && pictures.length === 0 ? (
                <bdi>
                  <Seen text={value} isLong />
                </bdi>
              ) : (
                <Json text={text} pictures={drawn} more={pictures.length - drawn.length} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Json({ text, pictures, more }: { text: string; pictures: string[]; more: number }) {
  return (
    <>
      <pre class="fixed" tabIndex={0} dir="ltr">
        <Seen text={text} isLong />
      </pre>
      {pictures.map((picture, place) => (
        <ProfilePicture key={place} picture={picture} size={64} />
      ))}
      {more > 0 && <p class="quiet small">{t('kv.more_pictures', { count: more })}</p>}
    </>
  );
}

/** A value as JSON, and its pictures, which stand in it as their first and last letters. */
function readJson(value: unknown): { text: string; pictures: string[] } {
  const pictures: string[] = [];
  const shorten = (_: string, member: unknown) => {
    if (!isPicture(member)) return member;
    pictures.push(member);
    return cutInTheMiddle(member, 40);
  };
  return { text: JSON.stringify(value, shorten, 2), pictures };
}
