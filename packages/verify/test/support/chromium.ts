import { existsSync } from 'node:fs';
import type { Lack } from './unless.js';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is on this machine (CHROMIUM_PATH, or one of the usual places), or an empty text. */
export const executablePath =
  [process.env.CHROMIUM_PATH ?? '', ...PLACES].find((place) => place !== '' && existsSync(place)) ?? '';

/** Why nothing can be tried in a browser. */
export const noChromium: Lack = executablePath ? null : 'there is no Chromium here, and CHROMIUM_PATH names none';
