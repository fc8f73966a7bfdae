import { existsSync } from 'node:fs';
import type { Lack } from './unless.js';

const given = process.env.CHROMIUM_PATH ?? '';
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Chromium without windows and menus: a third of the processor time, but no notifications. */
const SHELLS = ['/usr/bin/chromium-headless-shell'];

/** A browser for tests. */
export interface Program {
  /** Where the program is, or an empty text. */
  executablePath: string;
  /** Why nothing can be tried in it. */
  lack: Lack;
}

/** What shows notifications, too: CHROMIUM_PATH, or a Chromium in one of the usual places. */
export const wholeChromium = firstOf([given, ...WHOLE]);
/** What tests use that need no more than pages: CHROMIUM_PATH, or else Chromium's headless shell, or a Chromium. */
export const anyChromium = firstOf([given, ...SHELLS, ...WHOLE]);

function firstOf(places: string[]): Program {
  const executablePath = places.find((place) => place !== '' && existsSync(place)) ?? '';
  return { executablePath, lack: executablePath ? null : 'there is no Chromium here, and CHROMIUM_PATH names none' };
}
