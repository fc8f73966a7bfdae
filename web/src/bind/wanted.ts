/** What a person wants to bind. */
export interface WantedBinding {
  platform: string;
  identity: string;
}
