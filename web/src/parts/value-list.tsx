import { isPicture } from '@signet/sdk';
import { cutInTheMiddle } from './names.js';
import { ProfilePicture } from './profile-head.js';

/** Content as names and values; what is not a text is JSON. */
export function ValueList({ content }: { content: object }) {
  return (
    <dl class="value-list">
      {Object.entries(content).map(([name, value]: [string, unknown]) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : <Json value={value} />}</dd>
        </div>
      ))}
    </dl>
  );
}

/** JSON, in which a picture is shown as one and not as thousands of letters. */
function Json({ value }: { value: unknown }) {
  const pictures: string[] = [];
  const text = JSON.stringify(
    value,
    (_, member: unknown) => {
      if (!isPicture(member)) return member;
      pictures.push(member);
      return cutInTheMiddle(member, 40);
    },
    2,
  );
  return (
    <>
      <pre class="fixed" tabIndex={0} dir="ltr">
        {text}
      </pre>
      {pictures.map((picture) => (
        <ProfilePicture key={picture} picture={picture} size={64} />
      ))}
    </>
  );
}
