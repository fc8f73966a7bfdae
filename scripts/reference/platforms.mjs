import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { built } from '../built.mjs';

/** @import { PlatformGuide } from '@signet/look' */

const PUBLISHES = { post: 'a public post', record: 'a public record', nothing: 'nothing' };

/** docs/reference/platforms.md, whole. Needs the built service, of which it starts the platform module alone. */
export async function platformsPage() {
  const verifiers = await registeredVerifiers();
  const rows = verifiers.map(
    ({ platform, publishes, guide, missingSetting }) =>
      `| [\`${platform}\`](#${platform}) | ${guide.label} | \`${guide.identityExample}\` | ${PUBLISHES[publishes]} | ${missingSetting ?? 'nothing'} |`,
  );
  const sections = verifiers.map(({ platform, guide }) => {
    const locations =
      guide.locationForms.length === 0
        ? 'No `proof_location` is sent.'
        : `\`proof_location\`: ${guide.locationForms.map((form) => `\`${form}\``).join(', or ')}.`;
    const steps = guide.steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
    return `## ${platform}\n\nCanonical identities match \`${guide.identityPattern}\`, for example \`${guide.identityExample}\`. ${locations}${addressesOf(guide)}\n\n${steps}\n`;
  });
  return `# Platforms

<!-- Written by \`npm run reference\` from the verifiers under packages/look/src/verifiers. Change those, not this file. -->

\`GET /v1/platforms\` of a server answers the same and says whether that server can check the platform now. How answers of platforms are judged is in
[platform facts](../design/platforms.md).

| platform | name | identity, for example | what is published | what the operator has to set |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

${sections.join('\n')}`;
}

async function registeredVerifiers() {
  const { ConfigModule } = await built('config/config.module.js');
  const { loadEnvironment } = await built('config/environment.js');
  const { WebModule } = await built('outbound/web.module.js');
  const { PlatformModule } = await built('platform/platform.module.js');
  const { PlatformService } = await built('platform/platform.service.js');
  class ReferenceModule {}
  const context = await NestFactory.createApplicationContext(
    {
      module: ReferenceModule,
      imports: [ConfigModule.forRoot(loadEnvironment({})), WebModule.forRoot(), PlatformModule],
    },
    { logger: ['error'] },
  );
  try {
    return context
      .get(PlatformService)
      .all()
      .map((verifier) => ({
        platform: verifier.platform,
        publishes: verifier.publishes,
        guide: verifier.guide,
        missingSetting: verifier.missingSetting?.() ?? null,
      }));
  } finally {
    await context.close();
  }
}

/**
 * One sentence for each address that the guide has.
 * @param {PlatformGuide} guide
 */
function addressesOf({ profileUrls = [], postUrl, composeUrl, fileName }) {
  const sentences = [
    profileUrls.length > 0 && `Profiles: ${profileUrls.map((url) => `\`${url}\``).join(', ')}.`,
    postUrl && `Posts are shown at \`${postUrl}\`.`,
    composeUrl && `Texts are published at \`${composeUrl}\`.`,
    fileName && `The file is called \`${fileName}\`.`,
  ];
  const told = sentences.filter(Boolean);
  return told.length === 0 ? '' : `\n\n${told.join(' ')}`;
}
