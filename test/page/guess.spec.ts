import { guess } from '../../web/src/search/guess.js';

const ADDRESS = '0x8d0afed7b5ef290545b4505f77494600453975ac';
const UUID = '909353ef-a9bb-4b4b-be79-a1e4eb82bd57';

describe('what is pasted into the search field', () => {
  it.each([
    ['\u202a0x8d0afed7b5ef290545b4505f77494600453975ac\u202c', { kind: 'name', identity: ADDRESS }],
    [`"${ADDRESS}"`, { kind: 'name', identity: ADDRESS }],
    [`\u200b${ADDRESS}\u00a0\r\n`, { kind: 'name', identity: ADDRESS }],
    ['\u202a@alice_demo\u202c', { kind: 'name', identity: 'alice_demo' }],
    [`\ufeff${UUID.toUpperCase()}`, { kind: 'uuid', uuid: UUID }],
  ])('is read without what nobody sees: %j', (text, expected) => {
    expect(guess(text, [])).toEqual(expected);
  });
});
