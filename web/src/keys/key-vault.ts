/**
 * Keys that were made in this page, kept in IndexedDB and only encrypted: AES-256-GCM under a key that PBKDF2 makes of
 * the pass phrase (OWASP: SHA-256, 600,000 rounds). Without the pass phrase nothing but the public key can be read.
 */
const DATABASE = 'signet-keys';
const STORE = 'keys';
const ROUNDS = 600_000;
/** Characters of a pass phrase. What is stored can be tried at leisure by whoever gets hold of the disk. */
export const SHORTEST_PASSPHRASE = 10;

/** A key as it is stored. */
interface KeptKey {
  /** Compressed key. */
  avatar: string;
  salt: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
  rounds: number;
}

/** The public keys of what is kept here. */
export async function keptKeys(): Promise<string[]> {
  if (!('indexedDB' in globalThis)) return [];
  return (await inStore('readonly', (store) => store.getAllKeys())) as string[];
}

/** Encrypts and keeps a private key of 32 bytes. @throws DOMException where the browser stores nothing */
export async function keepKey(avatar: string, privateKey: Uint8Array<ArrayBuffer>, passphrase: string): Promise<void> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const key = await derive(passphrase, salt, ROUNDS);
  const additionalData = new TextEncoder().encode(avatar);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, privateKey);
  const kept: KeptKey = { avatar, salt, iv, sealed, rounds: ROUNDS };
  await inStore('readwrite', (store) => store.put(kept));
}

/** The private key, or null where the pass phrase is another one or the key is gone. */
export async function openKey(avatar: string, passphrase: string): Promise<Uint8Array | null> {
  const kept = (await inStore('readonly', (store) => store.get(avatar))) as KeptKey | undefined;
  if (!kept) return null;
  const key = await derive(passphrase, kept.salt, kept.rounds);
  const additionalData = new TextEncoder().encode(avatar);
  return crypto.subtle.decrypt({ name: 'AES-GCM', iv: kept.iv, additionalData }, key, kept.sealed).then(
    (bytes) => new Uint8Array(bytes),
    () => null,
  );
}

/** Removes a key from this browser for good. */
export async function forgetKey(avatar: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(avatar));
}

async function derive(passphrase: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<CryptoKey> {
  const words = new TextEncoder().encode(passphrase.normalize('NFKC'));
  const material = await crypto.subtle.importKey('raw', words, 'PBKDF2', false, ['deriveKey']);
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return crypto.subtle.deriveKey(parameters, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

async function inStore(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = transaction.onabort = () => reject(transaction.error!);
    });
    return request.result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'avatar' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}
