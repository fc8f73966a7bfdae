import { loadEnvironment } from '../../src/config/environment.js';
import { addressesAt } from '../../packages/look/src/platform-addresses.js';
import { createVerifiers } from '@signet/look';
import { WebClient } from '../../src/outbound/web-client.js';

/** The settings that lead every platform to the stand-in at `baseUrl`, as the verifiers declare them. */
export function leadingTo(baseUrl: string): Record<string, string> {
  const environment = loadEnvironment({});
  return addressesAt(baseUrl, createVerifiers(new WebClient(environment), environment));
}
