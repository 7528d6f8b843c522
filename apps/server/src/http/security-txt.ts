import type { Settings } from '../platform/settings/settings.ts'

const dayMs = 86_400_000
/** RFC 9116 §2.5.5 recommends less than a year. */
const validDays = 90

export const securityTxtPath = '/.well-known/security.txt'

/** The text of security.txt (RFC 9116), valid for 90 days from the given day; undefined without a contact. */
export function securityTxt(
  { securityContacts, publicUrl }: Pick<Settings, 'securityContacts' | 'publicUrl'>,
  now: Date,
): string | undefined {
  if (securityContacts.length === 0) return undefined
  const expires = new Date((Math.floor(now.getTime() / dayMs) + validDays) * dayMs)
  return [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: zh, en',
    // A web address in the file must be https (RFC 9116 §2.5.2).
    ...(publicUrl.startsWith('https:') ? [`Canonical: ${publicUrl}${securityTxtPath}`] : []),
    '',
  ].join('\n')
}
