import type { WebTransport } from '@signet/look/node';

export interface StandInPlatforms {
  baseUrl: string;
  env: Record<string, string>;
  transport: WebTransport;
  /** Whose account it is, where the post is (absent where a platform needs no location), and what a person would do. */
  describe(platform: string): { identity: string; location?: string; act: string };
  publish(platform: string, text: string, avatar: string): void;
  close(): Promise<void>;
}

export const STAND_IN_PLATFORMS: string[];
export function startPlatforms(options?: { port?: number; answersPublish?: boolean }): Promise<StandInPlatforms>;
