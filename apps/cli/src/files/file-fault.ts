import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'

/**
 * Reason of a failed file operation in the user's language, instead of the error code of the
 * system.
 */
export function fileFault(locale: Locale, error: unknown): string {
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return t(locale, 'cli.why.missing')
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return t(locale, 'cli.why.forbidden')
    case 'EISDIR':
      return t(locale, 'cli.why.folder')
    case 'ENOSPC':
    case 'EDQUOT':
      return t(locale, 'cli.why.full')
    default:
      return t(locale, 'cli.why.other')
  }
}
