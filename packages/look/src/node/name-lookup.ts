import { lookup, Resolver } from 'node:dns/promises';

/**
 * Asks DNS servers directly, for names that users choose: no hosts file, no search list, and no thread of the pool is
 * held by a slow name server.
 * @param servers name servers as `ip:port`; absent: those of this machine
 * @throws Error if there is no address of either kind
 */
export async function askDns(hostname: string, servers?: string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return addresses;
}

/**
 * Asks the resolver of this machine, for names that the operator set: it knows the hosts file and names of containers.
 */
export async function askSystem(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
