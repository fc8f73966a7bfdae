import { anAvatar, aWallet } from '../support/avatar.js';
import { cpuMsOf, slowness, WITH_CPU_PROBE } from '../support/cpu-time.js';
import { createTestDatabase } from '../support/database.js';
import { type ServiceProcess, startService } from '../support/service-process.js';

/** The rule of docs/threat-model.md: what one request without a valid signature may cost. */
const MAX_CPU_MS = 50;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const BODY_BYTES = 1024 * 1024;
/** The first request of a kind also pays for what is compiled and read once. */
const REQUESTS = 8;

const avatar = anAvatar('cost');
const wallet = aWallet('cost');
const LINK = { action: 'create', platform: 'ethereum', identity: wallet.address, public_key: avatar.key.compressed };
const SUBMIT = { ...LINK, uuid: '909353ef-a9bb-4b4b-be79-a1e4eb82bd57', created_at: '1763700000' };
const PATCH = { avatar: avatar.key.compressed, platform: 'self', identity: avatar.key.uncompressed };
const KV_SUBMIT = {
  ...PATCH,
  uuid: SUBMIT.uuid,
  created_at: 1763700000,
  signature: Buffer.alloc(65).toString('base64'),
};

let service: ServiceProcess;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  service = await startService({ DATABASE_URL: database.url, PLATFORMS: 'ethereum,solana', ...WITH_CPU_PROBE });
  for (let round = 0; round < 20; round += 1) {
    await service.post('/v1/proof/payload', LINK);
    await service.get(`/v1/proof?identity=${wallet.address}`);
  }
}, 90_000);
afterAll(async () => {
  await service?.kill9();
  await drop?.();
});

/** As many items as fit into a body beside its other members. */
const filled = (item: (index: number) => string, size = BODY_BYTES - 1024): string => {
  const items: string[] = [];
  for (let bytes = 0; bytes < size; bytes += items.at(-1)!.length + 1) items.push(item(items.length));
  items.pop();
  return items.join();
};
/** About 120,000 in a whole body, which is more than a body may hold. */
const members = (size?: number): string => filled((index) => `"m${index}":0`, size);
/** As many as a body may hold. */
const longMembers = (): string => filled((index) => `"unknown member ${index}${' '.repeat(70)}":0`);
const openObject = (value: object): string => JSON.stringify(value).slice(0, -1);

const BODIES: [string, object, string][] = [
  ['unknown members', LINK, members()],
  ['as many unknown members as are read', LINK, longMembers()],
  ['the same member again and again', LINK, filled(() => '"m":0')],
  ['members that look like places of a list', LINK, filled((index) => `"${index * 7919}":0`)],
  ['one list of numbers', LINK, `"list":[${filled(() => '0')}]`],
  ['one list of objects', LINK, `"list":[${filled(() => '{}')}]`],
  ['a text with an escape for each character', LINK, `"text":"${'\\u0061'.repeat(BODY_BYTES / 6 - 100)}"`],
  ['a text of the whole size', LINK, `"text":"${'x'.repeat(BODY_BYTES - 1024)}"`],
  ['white space', LINK, `"text":0${' '.repeat(BODY_BYTES - 1024)}`],
  ['structures as deep as they come', LINK, `"deep":${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  [
    'many structures of the depth that is allowed',
    LINK,
    filled((index) => `"d${index}":${'['.repeat(590)}${']'.repeat(590)}`),
  ],
  ['a declared text that is an object', LINK, `"identity":{${longMembers()}}`],
  ['a declared text that is a list', LINK, `"identity":[${filled(() => '"one of very many texts"')}]`],
  ['a declared text of the whole size', LINK, `"identity":"${'x'.repeat(BODY_BYTES - 1024)}"`],
  ['a key of the whole size', LINK, `"public_key":"0x${'a'.repeat(BODY_BYTES - 1024)}"`],
];
const SUBMIT_BODIES: typeof BODIES = [
  ['unknown members', SUBMIT, members()],
  ['extra with unknown members', SUBMIT, `"extra":{${longMembers()}}`],
  ['extra as a list', SUBMIT, `"extra":[${filled(() => `{"signature":"one of very many texts${' '.repeat(55)}"}`)}]`],
  ['signatures of the whole size', SUBMIT, `"extra":{"signature":"${'A'.repeat(BODY_BYTES - 1024)}"}`],
  ['a location of the whole size', SUBMIT, `"proof_location":"${'%2'.repeat(BODY_BYTES / 2 - 600)}"`],
];
const KV_BODIES = (start: object): typeof BODIES => [
  ['unknown members', { ...start, patch: {} }, members()],
  ['a patch of members', start, `"patch":{${longMembers()}}`],
  ['a patch of members that just pass', start, `"patch":{${members(64_000)}}`],
  [
    'a patch of objects',
    start,
    `"patch":{"list":[${filled(() => `{"one of":"very many objects in a list${' '.repeat(55)}"}`)}]}`,
  ],
  ['a patch of numbers', start, `"patch":{"list":[${filled(() => '1.234567890123456e+300')}]}`],
  ['a patch of escapes', start, `"patch":{"text":"${'\\u0061'.repeat(BODY_BYTES / 6 - 200)}"}`],
  ['a patch of one text', start, `"patch":{"text":"${'x'.repeat(BODY_BYTES - 1024)}"}`],
  ['a deep patch', start, `"patch":${'{"a":'.repeat(500)}0${'}'.repeat(500)}`],
];
const POSTS = [
  ...BODIES.map(([what, ...body]) => ['/v1/proof/payload', what, ...body] as const),
  ...SUBMIT_BODIES.map(([what, ...body]) => ['/v1/proof', what, ...body] as const),
  ...KV_BODIES(PATCH).map(([what, ...body]) => ['/v1/kv/payload', what, ...body] as const),
  ...KV_BODIES(KV_SUBMIT).map(([what, ...body]) => ['/v1/kv', what, ...body] as const),
];

const LONG = 15_000;
const GETS = [
  ['many parameters', `/v1/proof?identity=x&${filled((index) => `p${index}=`, LONG).replaceAll(',', '&')}`],
  ['a parameter again and again', `/v1/proof?${'identity=x&'.repeat(LONG / 11)}`],
  ['parameters without names', `/v1/proof?identity=x${'&'.repeat(LONG)}`],
  ['a text of percent signs', `/v1/proof?identity=${'%25'.repeat(LONG / 3)}`],
  ['a text that cannot be decoded', `/v1/proof?identity=${'%ff'.repeat(LONG / 3)}`],
  [
    'fifty short terms',
    `/v1/proof?identity=${Array.from({ length: 50 }, (_, n) => String.fromCharCode(97 + (n % 26)) + (n > 25 ? 'x' : '')).join()}`,
  ],
  ['more terms than are allowed', `/v1/proof?identity=${'a,'.repeat(LONG / 2)}`],
  ['a far page', `/v1/proof?identity=a&page=100000000`],
  ['a long key', `/v1/kv?avatar=0x${'a'.repeat(LONG)}`],
  ['the feed', `/v1/proofchain/changes?last_id=0&count=100`],
  ['a long path', `/${'a/'.repeat(LONG / 2)}`],
  ['the description', '/openapi.json'],
  ['the metrics', '/metrics'],
  ['the API page', '/docs'],
  ['its largest file', '/docs/swagger-ui-bundle.js'],
  ['the platforms', '/v1/platforms'],
  ['the health check', '/healthz'],
] as const;

interface Cost {
  cpuMs: number;
  bytes: number;
  status: number;
}

async function costOf(path: string, init: RequestInit): Promise<Cost> {
  const ask = async () => {
    const answer = await fetch(`${service.baseUrl}${path}`, init);
    return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
  };
  let last = await ask();
  const before = await cpuMsOf(service);
  for (let count = 0; count < REQUESTS; count += 1) last = await ask();
  return { ...last, cpuMs: ((await cpuMsOf(service)) - before) / REQUESTS };
}

function expectCheap(what: string, { cpuMs, bytes, status }: Cost): void {
  const factor = slowness();
  process.stdout.write(
    `request cost: ${what}: ${cpuMs.toFixed(1)} ms, ${bytes} bytes, status ${status} (machine x${factor.toFixed(1)})\n`,
  );
  expect(status).toBeLessThan(500);
  expect(bytes).toBeLessThan(MAX_ANSWER_BYTES);
  expect(cpuMs).toBeLessThan(MAX_CPU_MS * factor);
}

describe('a request without a valid signature costs a bounded time of the processor', () => {
  it.each(POSTS)('as POST %s with %s', async (path, what, start, rest) => {
    const body = `${openObject(start)},${rest}}`;
    const cost = await costOf(path, { method: 'POST', body });

    expect(body.length).toBeLessThanOrEqual(BODY_BYTES);
    expectCheap(`POST ${path} with ${what}`, cost);
  });

  it.each(GETS)('as GET with %s', async (what, path) => {
    expectCheap(`GET ${path.slice(0, 24)} with ${what}`, await costOf(path, {}));
  });
});
