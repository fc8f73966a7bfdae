import { Environment } from '../../src/config/environment.js';
import { mistypedSettings } from '../../src/config/mistyped-settings.js';

describe('variables that look like a mistyped setting', () => {
  it.each([
    ['ADMIN_TOKN', 'ADMIN_TOKEN'],
    ['ADMIN_TOKEN_FIL', 'ADMIN_TOKEN_FILE'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['RATE_LIMITS', 'RATE_LIMIT'],
    ['database_url', 'DATABASE_URL'],
    ['port', 'PORT'],
  ])('are named with the setting that is meant: %s', (name, meant) => {
    expect(mistypedSettings([name], Environment)).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
  });

  it('are none of the settings, and none of what a process usually has', () => {
    const usual =
      'PATH HOME HOSTNAME LANG LC_ALL LOGNAME PWD SHELL SHLVL TERM TZ USER NODE_ENV NODE_OPTIONS NODE_VERSION';
    const settings = [
      'PORT',
      'HOST',
      'WEB',
      'DATABASE_URL',
      'DATABASE_URL_FILE',
      'PUBLIC_URL',
      'ETH_RPC_URLS',
      'DIALECT',
    ];

    expect(
      mistypedSettings([...usual.split(' '), ...settings, 'POST', 'LOGS', 'npm_config_cache'], Environment),
    ).toEqual([]);
  });
});
