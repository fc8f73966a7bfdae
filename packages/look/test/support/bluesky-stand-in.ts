import type { AtprotoAccount } from '../../../verify/test/support/atproto-account.js';
import { jsonReply, type StandInHandler, type StandInReply } from './stand-in-server.js';

/** The host of the accounts' server. */
export const PDS = 'pds.example.org';

/** The directory with the operations of `known`, the server of `account`, and an AppView that answers nothing. */
export function showAccounts(known: AtprotoAccount[], account: AtprotoAccount): StandInHandler {
  return ({ path, query }) => {
    const [, did] = /^\/(did:plc:[a-z2-7]+)\/log\/audit$/.exec(decodeURIComponent(path)) ?? [];
    if (did) return operationsOf(known, did);
    if (path === '/xrpc/com.atproto.sync.getRecord') return carFor(account, query);
    return jsonReply({ error: 'XRPCNotSupported', message: 'XRPCNotSupported' }, 404);
  };
}

function operationsOf(known: AtprotoAccount[], did: string): StandInReply {
  const account = known.find((one) => one.did === did);
  return account ? jsonReply(account.operations) : jsonReply({ message: `DID not registered: ${did}` }, 404);
}

/** What the server of an account answers for one record. */
export async function carFor(account: AtprotoAccount, query: URLSearchParams): Promise<StandInReply> {
  const [did, collection, rkey] = ['did', 'collection', 'rkey'].map((name) => query.get(name) ?? '');
  if (did !== account.did) return jsonReply({ error: 'RepoNotFound', message: 'Could not find repo' }, 400);
  return { bytes: await account.carOf(collection!, rkey!), headers: { 'content-type': 'application/vnd.ipld.car' } };
}
