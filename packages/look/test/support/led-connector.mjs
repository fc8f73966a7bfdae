import { isIP } from 'node:net';
import { buildConnector } from 'undici';

/** @import { LookupAddress } from 'node:dns' */
/** @import { LookupFunction } from 'node:net' */

/**
 * A connector for `WebTransport` that opens its sockets where `leads` says, for tests and the demo. As a socket would,
 * it asks the guard's `lookup` first, and gets the first address that passed.
 *
 * @param {(address: string, port: number) => { host: string, port: number }} leads
 * @returns {typeof buildConnector}
 */
export function connectorTo(leads) {
  return (given = {}) => {
    const { lookup, ...options } = /** @type {buildConnector.BuildOptions & { lookup: LookupFunction }} */ (given);
    const connect = buildConnector(options);
    return (target, done) => {
      const { hostname, protocol } = target;
      const port = Number(target.port) || (protocol === 'https:' ? 443 : 80);
      /** @param {string} address */
      const open = (address) => {
        const led = leads(address, port);
        const place = { host: `${led.host}:${led.port}`, hostname: led.host, port: String(led.port) };
        connect({ ...target, ...place, servername: isIP(hostname) ? '' : hostname }, done);
      };
      if (isIP(hostname)) return open(hostname);
      lookup(hostname, { all: true }, (error, addresses) => {
        if (error) return done(error, null);
        try {
          open(/** @type {LookupAddress[]} */ (addresses)[0].address);
        } catch (failure) {
          done(/** @type {Error} */ (failure), null);
        }
      });
    };
  };
}
