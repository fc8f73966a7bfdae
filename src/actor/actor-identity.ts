import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { createRequestSigner } from '@signet/look/node';
import { Environment } from '../config/environment.js';
import { DeploymentSettings } from '../database/deployment-settings.js';
import { WebClient } from '../outbound/web-client.js';

/** What all servers of the Fediverse read; they know no other kind of key for sure. */
const RSA = {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;

/** The documents by which servers of the Fediverse know who asks them. */
export interface ActorDocuments {
  /** The actor (ActivityPub 4.1), with its public key. */
  actor: string;
  /** What webfinger answers about the actor (RFC 7033). */
  webfinger: string;
  /** The texts for which webfinger answers: `acct:` name and address. */
  resources: string[];
}

/**
 * The actor by which this server signs requests to servers of the Fediverse that answer no others. It follows nobody,
 * and takes no messages. There is one where PUBLIC_URL is an https address: those who are asked fetch its key there.
 */
@Injectable()
export class ActorIdentity implements OnModuleInit {
  /** Undefined where there is no actor. */
  documents: ActorDocuments | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly settings: DeploymentSettings,
    private readonly web: WebClient,
  ) {}

  /** The key is made by the first server, and kept with the database. */
  async onModuleInit(): Promise<void> {
    const { PUBLIC_URL, SERVICE_NAME } = this.environment;
    if (PUBLIC_URL === undefined || !PUBLIC_URL.startsWith('https:')) return;
    const { host, origin } = new URL(PUBLIC_URL);
    const privateKey = await this.settings.getOrMake('actor_key', () => generateKeyPairSync('rsa', RSA).privateKey);
    const actor = `${origin}/actor`;
    const keyId = `${actor}#main-key`;
    const publicKeyPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string;
    this.documents = {
      actor: JSON.stringify({
        '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
        id: actor,
        type: 'Application',
        preferredUsername: SERVICE_NAME,
        name: SERVICE_NAME,
        summary: 'Looks at posts that prove accounts. It follows nobody and takes no messages.',
        url: origin,
        inbox: `${actor}/inbox`,
        outbox: `${actor}/outbox`,
        manuallyApprovesFollowers: true,
        publicKey: { id: keyId, owner: actor, publicKeyPem },
      }),
      webfinger: JSON.stringify({
        subject: `acct:${SERVICE_NAME}@${host}`,
        aliases: [actor],
        links: [{ rel: 'self', type: 'application/activity+json', href: actor }],
      }),
      resources: [`acct:${SERVICE_NAME}@${host}`, actor],
    };
    this.web.requestSigner = createRequestSigner({ keyId, privateKey });
  }
}
