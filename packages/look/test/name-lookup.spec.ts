import { createSocket, type Socket } from 'node:dgram';
import { type Answer, decode, encode } from 'dns-packet';
import { askDns, askSystem } from '../src/node/name-lookup.js';

let server: Socket;
let answers: Answer[];
let asked: string[];

/**
 * A name server on loopback that answers with those of `answers` that were asked for, and NXDOMAIN for names it has
 * none of.
 */
beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (message, { port, address }) => {
    const query = decode(message);
    const question = query.questions![0]!;
    asked.push(`${question.name} ${question.type}`);
    const known = answers.some(({ name }) => name === question.name);
    const matching = answers.filter(({ name, type }) => name === question.name && type === question.type);
    const reply = { id: query.id ?? 0, type: 'response' as const, questions: [question], answers: matching };
    server.send(encode({ ...reply, flags: 0x0180 | (known ? 0 : 3) }), port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  answers = [];
  asked = [];
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const ask = (name: string) => askDns(name, [`127.0.0.1:${server.address().port}`]);

it('finds the addresses of both kinds', async () => {
  answers = [
    { name: 'fedi-two.net', type: 'A', data: '93.184.215.14' },
    { name: 'fedi-two.net', type: 'A', data: '93.184.215.15' },
    { name: 'fedi-two.net', type: 'AAAA', data: '2606:4700::1111' },
  ];

  expect((await ask('fedi-two.net')).toSorted()).toEqual(['2606:4700::1111', '93.184.215.14', '93.184.215.15']);
});

it('is content with addresses of one kind', async () => {
  answers = [{ name: 'six.fedi-two.net', type: 'AAAA', data: '2606:4700::1111' }];

  expect(await ask('six.fedi-two.net')).toEqual(['2606:4700::1111']);
});

it('throws for a name that does not exist, and asks for no name beside it', async () => {
  await expect(ask('gone.fedi-two.net')).rejects.toThrow('ENOTFOUND');

  expect(asked.toSorted()).toEqual(['gone.fedi-two.net A', 'gone.fedi-two.net AAAA']);
});

it('asks the machine for a name that the operator set', async () => {
  const addresses = await askSystem('localhost');

  expect(addresses.every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true);
  expect(addresses).not.toEqual([]);
});
