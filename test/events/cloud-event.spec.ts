import { loadEnvironment } from '../../src/config/environment.js';
import { cloudEventOf, type DescribedEvent } from '../../src/events/cloud-event.js';
import { anAvatar } from '../support/avatar.js';

const avatar = anAvatar().key.compressed;
const payload = { avatar, platform: 'github', identity: 'alice', patch_id: 7, uuid: 'uuid', created_at: 1_763_700_000 };
const EVENT: DescribedEvent = {
  id: 'b0b3c1de-0000-4000-8000-000000000001',
  name: 'kv.patched',
  position: 42,
  recordedAt: new Date('2026-01-02T03:04:05.678Z'),
  payload,
};

describe('an event in the form of CloudEvents', () => {
  it('has the attributes of the specification, and our own form as data', () => {
    const environment = loadEnvironment({
      CLOUDEVENTS_SOURCE: 'https://signet.example',
      CLOUDEVENTS_TYPE_PREFIX: 'example.signet',
    });

    expect(cloudEventOf(EVENT, environment)).toEqual({
      specversion: '1.0',
      id: EVENT.id,
      source: 'https://signet.example',
      type: 'example.signet.kv.patched',
      time: '2026-01-02T03:04:05.678Z',
      subject: avatar,
      datacontenttype: 'application/json',
      sequence: '00000000000000000042',
      partitionkey: avatar,
      data: { ...payload, position: 42 },
    });
  });

  it('comes from a name that tells servers apart where no source is set', () => {
    const environment = loadEnvironment({ SERVICE_NAME: 'my_name' });

    expect(cloudEventOf(EVENT, environment)).toMatchObject({ source: 'urn:signet:my_name' });
  });
});
