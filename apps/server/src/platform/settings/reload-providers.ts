import type { Logger } from 'pino'
import { SettingsError } from './settings.ts'
import { ssoSettings, type SsoSettings } from './settings-sso.ts'

/**
 * Reads the file of SSO_FILE anew, with its secrets and certificates. A file that is not usable is named in the log,
 * and the providers stay as they were. Without the setting nothing is read.
 */
export function reloadProviders(
  settings: SsoSettings,
  env: Readonly<Record<string, string | undefined>>,
  log: Pick<Logger, 'info' | 'error'>,
): void {
  const path = (env['SSO_FILE'] ?? '').trim()
  if (path === '') {
    log.info('asked to read settings anew, and there is no SSO_FILE')
    return
  }
  try {
    settings.ssoProviders = ssoSettings(path, env, (sentence) => {
      throw new SettingsError(sentence)
    }).ssoProviders
    log.info(
      { file: path, providers: settings.ssoProviders.map(({ id }) => id) },
      'the identity providers were read anew',
    )
  } catch (error) {
    log.error(
      { file: path, failure: error instanceof SettingsError ? error.message : 'unknown' },
      'SSO_FILE is not usable; the identity providers stay as they were',
    )
  }
}
