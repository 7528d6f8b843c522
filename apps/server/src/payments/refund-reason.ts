import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'

/** The reason of refunds that the system requests because a paid document cannot be made. */
export const unmadeReason = 'unmade'

/** The reason of a refund of the system in words. */
export function automaticReason(locale: Locale, reason: string): string {
  return t(locale, reason === unmadeReason ? 'refund.unmade' : 'refund.late')
}
