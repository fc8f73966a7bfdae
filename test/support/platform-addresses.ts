import { createVerifiers } from '@signet/look';
import { addressesAt, settingsFromOptions } from '@signet/look/internal';
import { loadEnvironment } from '../../src/config/environment.js';
import { WebClient } from '../../src/outbound/web-client.js';

/** The settings that lead every platform to the stand-in at `baseUrl`, as the verifiers declare them. */
export function leadingTo(baseUrl: string): Record<string, string> {
  return settingsFromOptions(addressesAt(baseUrl, createVerifiers(new WebClient(loadEnvironment({})))));
}
