import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { Environment } from '../config/environment.js';
import { describeChecks } from './checked-schemas.js';
import { addSharedParts } from './openapi-shared.js';

/** The description of the whole API, read from the decorators of the controllers and DTOs. */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Signet')
    .setDescription(
      'Binds accounts and wallets to one secp256k1 key, the Avatar, by signed links that form one linear, public chain for each Avatar, ' +
        'and stores JSON content that only the Avatar can change.\n\n' +
        'Every error body is `{ "message": string, "code": string }`: a sentence for people and a stable word for programs.',
    )
    .setVersion('1')
    .addServer('/', 'The server that this description came from.')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addTag('Proofs', 'Bind an identity to an Avatar, revoke it, look it up.')
    .addTag('ProofChain', 'The signed links: one chain for each Avatar, one feed over all.')
    .addTag('Key-value', 'JSON content of an Avatar, changed by signed merge patches.')
    .addTag('Log', 'The transparency log over all links and patches: rewritten history is noticed.')
    .addTag('Witness', 'This service as a witness of other logs, where WITNESS is on.')
    .addTag(
      'Observers',
      'What servers saw of posts: this one of other servers, where LOOK_AT is set, and others of this one.',
    )
    .addTag('Events', 'Follow what happens: bindings, checks, content.')
    .addTag('Webhooks', 'What a subscriber to webhooks receives.')
    .addTag('Platforms', 'What this server can check.')
    .addTag('Operation', 'Health, metrics and other endpoints for operation.');
  if (app.get(Environment).ADMIN_TOKEN !== undefined) {
    builder.addTag('Admin', 'For the operator of this server.').addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: 'ADMIN_TOKEN of the server.',
    });
  }
  describeChecks();
  return addSharedParts(SwaggerModule.createDocument(app, builder.build(), { autoTagControllers: false }));
}
