import { AvatarKey } from '../../src/domain/avatar-key.js';
import { fromUnixSeconds } from '../../src/domain/unix-time.js';
import { buildLinkPayload } from '../../src/proof-chain/link-payload.js';

const avatar = AvatarKey.parse('0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
const link = {
  action: 'create' as const,
  avatar,
  platform: 'github',
  identity: 'alice',
  uuid: '5c1ba0a2-1f0e-4d1c-9d3b-3e0d3c1a9a77',
  createdAt: fromUnixSeconds(1_763_700_000),
  previous: null,
};

describe('the signed text of a link', () => {
  it('is canonical JSON of seven fields', () => {
    expect(buildLinkPayload(link)).toBe(
      '{"action":"create","avatar":"0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",' +
        '"created_at":"1763700000","identity":"alice","platform":"github","prev":null,"uuid":"5c1ba0a2-1f0e-4d1c-9d3b-3e0d3c1a9a77"}',
    );
  });

  it('names the signature of the link before as it was submitted', () => {
    const text = buildLinkPayload({ ...link, action: 'delete', previous: 'ab+/cd==' });

    expect(text).toContain('"action":"delete"');
    expect(text).toContain('"prev":"ab+/cd=="');
  });

  it('escapes no letter that JSON does not have to escape', () => {
    expect(buildLinkPayload({ ...link, identity: 'zoë/"ж"\\🔑' })).toContain('"identity":"zoë/\\"ж\\"\\\\🔑"');
  });
});
