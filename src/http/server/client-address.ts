import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name the network of one customer, who has 2^64 addresses in it. */
const IPV6_NETWORK_BITS = 64;
/**
 * Some proxies append the port of the client to its address. An IPv6 address is then in brackets, which may also stand
 * without a port (RFC 7239, 6).
 */
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
const BRACKETED_IPV6 = /^\[([^\]]*)\](?::\d+)?$/;

/**
 * The client that limits are counted for: an IPv4 address, or the network of 64 bits of an IPv6 address
 * (`2001:db8:1:2::/64`). IPv4 written as IPv6 (`::ffff:192.0.2.1`) is IPv4. A zone does not count. What is not an
 * address, as on a unix-domain socket, is one client called `unknown`.
 * @param address of the connection, or as given by a trusted proxy
 */
export function clientNetwork(address: string | undefined): string {
  const text = address?.replace(IPV4_WITH_PORT, '$1').replace(BRACKETED_IPV6, '$1').replace(/%.*$/, '') ?? '';
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  if (!ipaddr.IPv6.isValid(text)) return 'unknown';
  const parsed = ipaddr.IPv6.parse(text);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_NETWORK_BITS}`);
  return `${network.toRFC5952String()}/${IPV6_NETWORK_BITS}`;
}

/**
 * The value of Fastify's `trustProxy` for the setting TRUST_PROXY: no proxy; a number of the nearest hops, this
 * connection being hop 0; or addresses and networks.
 */
export function trustedProxies(setting: string): false | string[] | ((address: string, hop: number) => boolean) {
  if (setting === 'off') return false;
  if (/^\d+$/.test(setting)) return (_address, hop) => hop < Number(setting);
  return setting.split(',').map((word) => word.trim());
}
