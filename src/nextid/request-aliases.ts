/** Members of a body, or parameters of a query, as they were sent. */
type Members = Record<string, unknown>;
/** Changes a request into the form of the contract, in place; reads single members only, and never walks one. */
type Alias = (sent: Members, serviceName: string) => void;

/** What the clients of NextID call the key itself, where the contract has the name of the service. */
export const KEY_PLATFORM = 'nextid';

const BARE_KEY = /^([0-9a-f]{66}|[0-9a-f]{130})$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** Contract, GET /v1/proofchain/changes. */
const COUNT = { least: 10, most: 100 };

/** Another name of a member, used if the member itself is not sent. */
const named =
  (other: string, name: string): Alias =>
  (sent) => {
    if (!isSent(sent, name) && isSent(sent, other)) sent[name] = sent[other];
  };

/** A key may lack its `0x`. */
const prefixed =
  (name: string): Alias =>
  (sent) => {
    const key = sent[name];
    if (typeof key === 'string' && BARE_KEY.test(key)) sent[name] = `0x${key}`;
  };

/** A parameter without a value is written as the text `null`. */
const absentIfNull =
  (...names: string[]): Alias =>
  (sent) => {
    for (const name of names) if (sent[name] === 'null') delete sent[name];
  };

const keyPlatform: Alias = (sent, serviceName) => {
  if (sent['platform'] === KEY_PLATFORM) sent['platform'] = serviceName;
};

/** An address in capitals and small letters is taken whether they are its checksum or not. */
const anyCase: Alias = (sent) => {
  const { platform, identity } = sent;
  if (platform === 'ethereum' && typeof identity === 'string' && ADDRESS.test(identity)) {
    sent['identity'] = identity.toLowerCase();
  }
};

/** Keys that are looked up, separated by commas. */
const prefixedList: Alias = (sent, serviceName) => {
  const { platform, identity } = sent;
  if (platform !== serviceName || typeof identity !== 'string') return;
  sent['identity'] = identity
    .split(',')
    .map((key) => (BARE_KEY.test(key.trim()) ? `0x${key.trim()}` : key))
    .join();
};

const firstPage: Alias = (sent) => {
  if (!isSent(sent, 'last_id') && !isSent(sent, 'id')) sent['last_id'] = '0';
};

const clampedCount: Alias = (sent) => {
  const { count } = sent;
  if (typeof count !== 'string' || !/^-?\d{1,16}$/.test(count)) return;
  sent['count'] = String(Math.min(Math.max(Number(count), COUNT.least), COUNT.most));
};

const ONE_BINDING = [named('Identity', 'identity'), prefixed('public_key'), anyCase, absentIfNull('page')];
const LINK = [named('Identity', 'identity'), prefixed('public_key'), anyCase];
const PATCH = [named('persona', 'avatar'), keyPlatform, anyCase];
const KV_OWNER = [named('persona', 'avatar'), prefixed('avatar'), absentIfNull('page')];

/** By method and route, such as `GET /v1/kv`: in the query of a GET, in the body of a POST. */
export const ALIASES: Record<string, Alias[]> = {
  'POST /v1/proof/payload': LINK,
  'POST /v1/proof': LINK,
  'POST /v1/proof/restore_pubkey': [named('Identity', 'identity')],
  'GET /v1/proof': [keyPlatform, prefixedList, anyCase, absentIfNull('page')],
  'GET /v1/proof/exists': ONE_BINDING,
  'GET /v1/proof/evidence': ONE_BINDING,
  'GET /v1/proof/history': ONE_BINDING,
  'GET /v1/proofchain': [prefixed('public_key'), prefixed('avatar'), absentIfNull('page')],
  'GET /v1/proofchain/changes': [absentIfNull('last_id', 'id', 'count'), firstPage, clampedCount],
  'GET /v1/kv': KV_OWNER,
  'GET /v1/kv/chain': KV_OWNER,
  'GET /v1/kv/by_identity': [keyPlatform, anyCase, absentIfNull('page')],
  'POST /v1/kv/payload': PATCH,
  'POST /v1/kv': PATCH,
};

/** Changes the request of a client of NextID into the form of the contract, in place. Leaves anything but an object. */
export function applyAliases(aliases: Alias[], sent: unknown, serviceName: string): void {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return;
  for (const alias of aliases) alias(sent as Members, serviceName);
}

function isSent(sent: Members, name: string): boolean {
  return Object.hasOwn(sent, name) && sent[name] !== null;
}
