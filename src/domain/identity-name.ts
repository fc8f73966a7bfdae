/** Who somebody is on a platform; in the canonical form unless something else is said. */
export interface IdentityName {
  platform: string;
  identity: string;
}
